export { builtFolder } from './build/places.ts';
export { buildDashboard, type DashboardBuild } from './build/prepare.ts';
