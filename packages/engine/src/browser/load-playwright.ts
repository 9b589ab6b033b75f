/** The only import of Playwright: once loaded before privileges are dropped, it needs no file access afterwards. */
export const loadPlaywright = () => import('playwright-core');
