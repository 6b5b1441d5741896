"""Fields that an object answers by itself, from what it holds."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, cast

from strawberry.annotation import StrawberryAnnotation
from strawberry.types.field import StrawberryField
from strawberry.types.fields.resolver import StrawberryResolver
from strawberry.types.info import Info


class OwnField(StrawberryField):
    """A field without arguments, whose resolver needs the object alone.

    To strawberry it is as basic as an attribute: nothing is made ready that the resolver does not
    use, which takes three times as long as a short resolver itself.
    """

    @property
    def is_basic_field(self) -> bool:
        """Say that neither an Info nor arguments are needed."""
        return True

    def get_result(
        self, source: Any, info: Info[Any, Any] | None, args: list[Any], kwargs: dict[str, Any]
    ) -> Any:
        """Ask the object."""
        return self._method(source)

    @cached_property
    def _method(self) -> Callable[[Any], Any]:
        assert self.base_resolver
        return cast(Callable[[Any], Any], self.base_resolver.wrapped_func)


def own_field(
    description: str, directives: tuple[object, ...] = (), graphql_type: Any = None
) -> Callable[[Callable[[Any], Any]], Any]:
    """Make a method the field of its name; `graphql_type` is its type, if the method says none."""

    def make(method: Callable[[Any], Any]) -> OwnField:
        return OwnField(
            description=description,
            directives=directives,
            type_annotation=StrawberryAnnotation.from_annotation(graphql_type),
        )(StrawberryResolver(method))

    return make
