/** From this one place: loaded before privileges are dropped, it is found afterwards without reading any file. */
export const loadPlaywright = () => import('playwright-core');
