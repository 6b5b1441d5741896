// The examples with names of this graph. Without them the page has no menu, and works all the same.
const PATIENCE = 5000;

export async function fetchExamples() {
  const url = `${window.location.pathname.replace(/\/$/, '')}/examples`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) });
    return answer.ok ? (await answer.json()).examples : [];
  } catch {
    return [];
  }
}
