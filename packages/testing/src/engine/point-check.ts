import { definePointCheck, type PointCheck } from '../../../engine/src/active/define-active-check.ts';
import { at } from '../../../engine/src/active/experiment.ts';

/** Returns a check that applies to every insertion point and proves its flaw there with one request. */
export function provingCheck(id: string, more: Partial<PointCheck> = {}): PointCheck {
  return definePointCheck({
    id,
    title: id,
    cwe: 1,
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
    cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
    impact: '',
    why: '',
    fix: '',
    references: [],
    risk: 'harmless',
    appliesTo: () => true,
    variants: [1],
    maxRequests: 4,
    proof: { plan: (point) => ({ attack: at(point, 'attack', id) }), judge: () => 'PROVED' },
    lab: () => ({ parameter: 'a', value: '', vulnerable: () => ({}), safe: () => ({}) }),
    ...more,
  });
}
