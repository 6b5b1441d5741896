import { useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';

// Ctrl+Enter runs the query wherever the cursor is: before the first click, too, and after an
// example is chosen, when the menu has the focus. In an editor, GraphiQL sees to it.
export function RunKey() {
  const { run } = useGraphiQLActions();
  useEffect(() => {
    const onKey = (event) => {
      const isRun = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
      if (isRun && !event.target.closest('.monaco-editor')) {
        event.preventDefault();
        run();
      }
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [run]);
  return null;
}
