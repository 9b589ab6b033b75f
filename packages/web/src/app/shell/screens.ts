import type { IconName } from '../look/icons.tsx';

export interface Screen {
  label: string;
  /** Below the account. */
  path: string;
  icon: IconName;
  /** After `g`. */
  key: string;
}

/** The navigation, in order. */
export const screens: readonly Screen[] = [
  { label: 'Home', path: '', icon: 'home', key: 'h' },
  { label: 'Targets', path: 'targets', icon: 'target', key: 't' },
  { label: 'Runs', path: 'runs', icon: 'run', key: 'r' },
  { label: 'Findings', path: 'findings', icon: 'finding', key: 'f' },
  { label: 'Scans', path: 'scans', icon: 'scan', key: 's' },
  { label: 'Credits', path: 'credits', icon: 'credits', key: 'c' },
  { label: 'Settings', path: 'settings', icon: 'settings', key: 'e' },
];
