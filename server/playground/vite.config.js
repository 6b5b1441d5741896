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
    // Fonts and icons stay files: a data: address would need a looser Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 4000,
  },
  worker: { format: 'es' },
});
