import { defineConfig } from 'vite';

export default defineConfig({
  // Addresses of assets are relative, so that the page also works behind a proxy that serves it
  // under a prefix. The page is /graphql, without a slash, and its assets are /graphql/assets/….
  base: './',
  experimental: {
    renderBuiltUrl: (file, { hostType }) =>
      hostType === 'html' ? `graphql/${file}` : { relative: true },
  },
  build: {
    target: 'es2022',
    // Icons and fonts stay files: data: addresses would need a looser Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The editor is one large file, and is loaded after the page has drawn itself.
    chunkSizeWarningLimit: 3000,
    rolldownOptions: {
      onLog(level, log, report) {
        // "use client" is for servers that render React, and means nothing here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  worker: { format: 'es' },
});
