// Pages of the graph link here with what they show, as a query: /graphql#query=…
const given = new URLSearchParams(window.location.hash.slice(1)).get('query');

// To reload the page is not to open that tab once more.
if (given) window.history.replaceState(null, '', window.location.pathname);

export const linkedQuery = given || undefined;
