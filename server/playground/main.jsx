import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';

import 'graphiql/style.css';

import { exampleTabs } from './examples.js';
import './playground.css';
import { playgroundStorage } from './storage.js';
import './workers.js';

const fetcher = createGraphiQLFetcher({ url: window.location.pathname });

createRoot(document.getElementById('playground')).render(
  <GraphiQL fetcher={fetcher} defaultTabs={exampleTabs} storage={playgroundStorage}>
    <GraphiQL.Logo>
      <span className="stemma-name">Stemma</span>
      <span className="stemma-motto">the family tree of research</span>
    </GraphiQL.Logo>
  </GraphiQL>,
);
