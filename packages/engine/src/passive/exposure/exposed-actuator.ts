import type { Severity } from '@sortie/contract';
import { defineExposureCheck } from '../../exposure-check.ts';

/** Of an application that shows no more than whether it is well. */
const HEALTH_ONLY = /^\{"_links":\{("(self|health|health-path)":\{[^{}]*\},?)+\}\}$/;

/** From what is listed: whoever asks for a heap dump makes the server write one, be it only for its headers. */
function severityOf(body: string): Severity | undefined {
  if (/"heapdump"\s*:\s*\{/.test(body)) return 'CRITICAL';
  return HEALTH_ONLY.test(body.replace(/\s/g, '')) ? 'INFO' : undefined;
}

export default defineExposureCheck({
  id: 'exposed-actuator',
  severity: 'HIGH',
  cwe: 497,
  title: 'The management endpoints of Spring Boot are public',
  why: 'Under /actuator the application shows its settings and, as a heap dump, its whole memory, with passwords and sessions in it.',
  fix: 'Expose only health (management.endpoints.web.exposure.include=health), or put the endpoints on a port of their own.',
  references: ['https://docs.spring.io/spring-boot/reference/actuator/endpoints.html'],
  files: [
    {
      path: '/actuator',
      signature: /"_links"\s*:\s*\{/,
      severity: severityOf,
    },
    { path: '/actuator/env', signature: /"(activeProfiles|propertySources)"\s*:/ },
  ],
  examples: [
    {
      name: 'the list',
      given: { files: { '/actuator': { body: '{"_links":{"self":{"href":"a"},"beans":{"href":"b"}}}' } } },
      fails: 1,
    },
    {
      name: 'only its health',
      given: { files: { '/actuator': { body: '{"_links": {"self": {"href":"a"}, "health": {"href":"b"}}}' } } },
      fails: 1,
      severity: 'INFO',
    },
    {
      name: 'the settings',
      given: { files: { '/actuator/env': { body: '{"activeProfiles":[],"propertySources":[]}' } } },
      fails: 1,
    },
    {
      name: 'the memory',
      given: { files: { '/actuator': { body: '{"_links":{"self":{"href":"a"},"heapdump":{"href":"b"}}}' } } },
      fails: 1,
      severity: 'CRITICAL',
    },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'such a list for everything',
      given: { elsewhere: { status: 200, body: '{"_links":{"heapdump":{"href":"b"}}}' } },
      fails: 0,
    },
  ],
});
