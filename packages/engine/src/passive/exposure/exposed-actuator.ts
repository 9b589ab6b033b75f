import { headerValues } from '../../evidence/header-values.ts';
import { defineExposureCheck } from '../../exposure-check.ts';

/** Of an application that shows no more than whether it is well. */
const HEALTH_ONLY = /^\{"_links":\{("(self|health|health-path)":\{[^{}]*\},?)+\}\}$/;

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
      severity: (body) => (HEALTH_ONLY.test(body.replace(/\s/g, '')) ? 'INFO' : undefined),
    },
    { path: '/actuator/env', signature: /"(activeProfiles|propertySources)"\s*:/ },
    {
      // Its headers tell; the memory itself is nobody's business.
      path: '/actuator/heapdump',
      method: 'HEAD',
      signature: ({ headers }) => headerValues(headers, 'content-type').find((type) => /octet-stream/i.test(type)),
      severity: 'CRITICAL',
    },
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
      given: { files: { 'HEAD /actuator/heapdump': { headers: { 'content-type': 'application/octet-stream' } } } },
      fails: 1,
      severity: 'CRITICAL',
    },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'everything is a download',
      given: { elsewhere: { status: 200, headers: { 'content-type': 'application/octet-stream' } } },
      fails: 0,
    },
  ],
});
