import { explorerPlugin } from '@graphiql/plugin-explorer';
import { HISTORY_PLUGIN } from '@graphiql/plugin-history';
import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';

// graphiql/style.css holds most of these, and half a megabyte of fonts and styles beside.
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import 'graphiql/graphiql.css';

import { ExamplesMenu } from './examples-menu.jsx';
import { fetchExamples } from './examples.js';
import { fetcher } from './fetcher.js';
import { linkedQuery, linkedVariables, showInAddress } from './linked-query.js';
import './playground.css';
import { RunKey } from './run-key.jsx';
import { playgroundStorage } from './storage.js';
import './tabs.js';
import './workers.js';

// The explorer asks for React 16 and graphql 15, out of age: package.json overrides that, and it
// works with React 19 and graphql 16. From graphql 17 it does not read the defaults of arguments.
const plugins = [HISTORY_PLUGIN, explorerPlugin()];
const examples = await fetchExamples();
const firstQuery = linkedQuery ?? examples[0]?.query;

createRoot(document.getElementById('playground')).render(
  <GraphiQL
    fetcher={fetcher}
    plugins={plugins}
    defaultTabs={firstQuery && [{ query: firstQuery }]}
    initialQuery={linkedQuery}
    initialVariables={linkedVariables}
    onTabChange={showInAddress}
    storage={playgroundStorage}
  >
    <GraphiQL.Logo>
      <RunKey />
      {examples.length > 0 && <ExamplesMenu examples={examples} />}
    </GraphiQL.Logo>
  </GraphiQL>,
);
