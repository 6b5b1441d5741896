"""The command that prints the GraphQL schema: schema."""

import typer


def schema() -> None:
    """Print the GraphQL schema, for code generators and editors.

    A server has it at /graphql/schema.graphql.

    Example: `stemma schema > schema.graphql`
    """
    from stemma.server.graphql.schema import sdl  # noqa: PLC0415 - keeps --help quick

    typer.echo(sdl(), nl=False)
