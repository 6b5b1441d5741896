// The files in examples/, in the order of their numbers; each begins with its question.
const queries = import.meta.glob('./examples/*.graphql', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const examples = Object.keys(queries)
  .sort()
  .map((file) => ({ query: queries[file], question: questionOf(queries[file]) }));

function questionOf(query) {
  const comment = query.slice(0, query.indexOf('\nquery ')).replaceAll(/\n?# /g, ' ');
  return comment.slice(0, comment.indexOf('?') + 1).trim();
}
