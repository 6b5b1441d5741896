import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';

// graphiql/style.css holds all of these, and half a megabyte of fonts and styles beside.
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import 'graphiql/graphiql.css';

import { exampleTabs } from './examples.js';
import './playground.css';
import { playgroundStorage } from './storage.js';
import './workers.js';

const fetcher = createGraphiQLFetcher({ url: window.location.pathname });

createRoot(document.getElementById('playground')).render(
  <GraphiQL fetcher={fetcher} defaultTabs={exampleTabs} storage={playgroundStorage}>
    <GraphiQL.Logo>
      <strong className="stemma-name">Stemma</strong>
      <span className="stemma-motto"> – the family tree of research</span>
    </GraphiQL.Logo>
  </GraphiQL>,
);
