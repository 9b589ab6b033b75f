import type { Target } from '@sortie/sdk';
import type { ShowTime } from '../../terminal/show-time.ts';

export const coverageText = ({ coveredName, coveredOrigin }: Target): string | null =>
  coveredName === null ? coveredOrigin : `${coveredName} and its subdomains`;

export function verifiedText({ verified, expiresAt }: Target, showTime: ShowTime): string {
  if (expiresAt === null) return 'not yet';
  return verified ? `expires ${showTime(expiresAt)}` : `expired ${showTime(expiresAt)}`;
}
