// The address has the query in the editor and its variables, to be shared. Pages of the graph link
// here in the same way with what they show: /graphql#query=…&variables=…
const given = new URLSearchParams(window.location.hash.slice(1));

export const linkedQuery = given.get('query') || undefined;
export const linkedVariables = linkedQuery && (given.get('variables') ?? '');

export function showInAddress({ tabs, activeTabIndex }) {
  const { query, variables } = tabs[activeTabIndex];
  const shown = new URLSearchParams(
    Object.entries({ query, variables }).filter(([, text]) => text),
  );
  window.history.replaceState(null, '', `${window.location.pathname}#${shown}`);
}

// A link that is followed within this page changes nothing but what is after the #.
window.addEventListener('hashchange', () => window.location.reload());
