import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { Kind, parse } from 'graphql';

const send = createGraphiQLFetcher({ url: window.location.pathname });

// GraphiQL reads the names of operations a while after the text changes, and until then sends one
// that may be gone: the text itself says which operations there are.
export const fetcher = (request, options) =>
  send({ ...request, operationName: operationName(request) }, options);

function operationName({ query, operationName: given }) {
  try {
    const names = parse(query)
      .definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
      .map(({ name }) => name?.value);
    return names.includes(given) ? given : names[0];
  } catch {
    return given; // The server says what is wrong with the text.
  }
}
