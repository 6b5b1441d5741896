"""The price of a query: how deep it goes, how many aliases it has, what it costs."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLNamedType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
    get_named_type,
    is_composite_type,
    is_introspection_type,
    is_list_type,
    is_non_null_type,
)

from stemma.server.graphql.objects import DEFAULT_SIZE, LARGEST, ListSize, too_many

_INTROSPECTION = {"fields": 7, "args": 2}
"""How long the lists of introspection are on average; others of them are short."""
_SHORT = 3
_Sizes = tuple[int, tuple[str, ...]]
"""A page size from above, and the lists it holds for."""
_UNSIZED: _Sizes = (0, ())
_MOST = 10**12
"""Sizes and prices are not counted beyond: numbers in a query may have any length."""


class Price(NamedTuple):
    """The price of a query, in parts that have limits.

    `depth` counts fields within each other. `aliases` counts each as often as fragments are used.
    `cost` is the number of values in the largest answer that the page sizes allow: a field of an
    object on a page counts as often as the page has items, those within it again. `excess` says of
    an argument that its page is larger than any can be.
    """

    depth: int = 0
    aliases: int = 0
    cost: int = 0
    excess: str | None = None


class Pricing:
    """Prices an operation of a valid document.

    Each fragment is priced once for each size it is used with, so that fragments which use each
    other twice and twice again take no longer than their text.
    """

    def __init__(
        self,
        schema: GraphQLSchema,
        document: DocumentNode,
        variables: Mapping[str, Any],
        page_size: int,
    ) -> None:
        self.schema, self.variables, self.page_size = schema, variables, page_size
        self.fragments = {
            definition.name.value: definition
            for definition in document.definitions
            if isinstance(definition, FragmentDefinitionNode)
        }
        self.excess: str | None = None
        self._priced: dict[tuple[str, _Sizes], Price] = {}

    def price(self, operation: OperationDefinitionNode) -> Price:
        """Price an operation."""
        declared = operation.variable_definitions or ()
        defaults = {node.variable.name.value: node.default_value for node in declared}
        self.variables = {**defaults, **self.variables}
        root = self.schema.get_root_type(operation.operation)
        price = self._selections(operation.selection_set, root, _UNSIZED) if root else Price()
        return price._replace(excess=self.excess)

    def _selections(
        self, selections: SelectionSetNode, parent: GraphQLNamedType, sizes: _Sizes
    ) -> Price:
        depth = aliases = cost = 0
        for selection in selections.selections:
            if isinstance(selection, FieldNode):
                found = self._field(selection, parent, sizes)
            elif isinstance(selection, InlineFragmentNode):
                on = selection.type_condition
                type_ = self.schema.get_type(on.name.value) if on else parent
                found = self._selections(selection.selection_set, type_ or parent, sizes)
            else:
                assert isinstance(selection, FragmentSpreadNode)
                found = self._fragment(selection.name.value, sizes)
            depth = max(depth, found.depth)
            aliases += found.aliases
            cost += found.cost
        return Price(depth, min(aliases, _MOST), min(cost, _MOST))

    def _fragment(self, name: str, sizes: _Sizes) -> Price:
        if (name, sizes) not in self._priced:
            fragment = self.fragments[name]
            type_ = self.schema.get_type(fragment.type_condition.name.value)
            self._priced[name, sizes] = (
                self._selections(fragment.selection_set, type_, sizes) if type_ else Price()
            )
        return self._priced[name, sizes]

    def _field(self, node: FieldNode, parent: GraphQLNamedType, sizes: _Sizes) -> Price:
        alias = 1 if node.alias else 0
        field = self.schema.get_field(parent, node.name.value)  # type: ignore[arg-type]
        type_ = get_named_type(field.type) if field else None
        if field is None or not node.selection_set or not is_composite_type(type_):
            return Price(1, alias, 1)
        name, size = node.name.value, _list_size(field)
        introspecting = is_introspection_type(type_)
        number, below = 1, _UNSIZED
        if size.sized_fields:
            below = (self._sliced(node, field, size), tuple(size.sized_fields))
            number = (size.assumed_size or DEFAULT_SIZE) if _is_list(field) else 1
        elif name in sizes[1]:
            number = sizes[0]
        elif introspecting and name == "types":
            number = len(self.schema.type_map)
        elif _is_list(field):
            number = (
                _INTROSPECTION.get(name, _SHORT)
                if introspecting
                else self._sliced(node, field, size)
            )
        within = self._selections(node.selection_set, type_, below)
        # The depth of introspection is bounded by a rule of its own, which clients rely on.
        depth = 1 if introspecting else 1 + within.depth
        return Price(depth, alias + within.aliases, min(1 + number * (1 + within.cost), _MOST))

    def _sliced(self, node: FieldNode, field: GraphQLField, size: ListSize) -> int:
        given = {argument.name.value: argument.value for argument in node.arguments or ()}
        sizes = []
        for name in size.slicing_arguments or ():
            value: Any = field.args[name].default_value if name in field.args else None
            if name in given:
                value = given[name]
            if isinstance(value, VariableNode):
                value = self.variables.get(value.name.value)
            if isinstance(value, IntValueNode):
                value = int(value.value) if len(value.value) < 12 else _MOST
            if isinstance(value, int):
                sizes.append(min(max(value, 0), _MOST))
                most = LARGEST.get(node.name.value, self.page_size)
                if value > most:
                    field_name = f"`{name}` of `{node.name.value}`"
                    self.excess = too_many(field_name, most, value)
        return max(sizes, default=size.assumed_size or DEFAULT_SIZE)


def _is_list(field: GraphQLField) -> bool:
    type_ = field.type
    return is_list_type(type_.of_type if is_non_null_type(type_) else type_)


def _list_size(field: GraphQLField) -> ListSize:
    definition = field.extensions.get("strawberry-definition")
    directives = definition.directives if definition else ()
    return next(
        (directive for directive in directives if isinstance(directive, ListSize)), ListSize()
    )
