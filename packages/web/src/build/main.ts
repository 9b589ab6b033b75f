import { bundle } from './bundle.ts';

/** Builds the dashboard: `npm run build --workspace packages/web`. */
await bundle();
