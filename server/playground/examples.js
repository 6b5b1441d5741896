// A tab for each file in examples/, in the order of their numbers.
const queries = import.meta.glob('./examples/*.graphql', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const exampleTabs = Object.keys(queries)
  .sort()
  .map((file) => ({ query: queries[file] }));
