import { Button, ToolbarMenu, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';

// Opens an example in a tab of its own, so that it overwrites nothing.
export function ExamplesMenu({ examples }) {
  const editor = useGraphiQL((state) => state.queryEditor);
  const { addTab } = useGraphiQLActions();
  // The comments of the examples are wider than the editor.
  useEffect(() => editor?.updateOptions({ wordWrap: 'on' }), [editor]);
  const open = (query) => {
    addTab();
    editor.setValue(query);
    editor.focus();
  };
  return (
    <ToolbarMenu
      button={
        <Button type="button" className="stemma-examples">
          Examples
        </Button>
      }
    >
      {examples.map(({ query, question }) => (
        <ToolbarMenu.Item key={question} onSelect={() => open(query)}>
          {question}
        </ToolbarMenu.Item>
      ))}
    </ToolbarMenu>
  );
}
