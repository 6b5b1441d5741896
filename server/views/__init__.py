"""Views: the answers that every interface gives, each as one documented class.

An interface renders views, and builds no data of its own. A view has ids and names, in the words of
the GraphQL schema; `View.to_json` is its JSON and `View.to_rows` its table.
"""
