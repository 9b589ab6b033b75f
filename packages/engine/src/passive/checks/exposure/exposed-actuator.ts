import type { Severity } from '@sortie/contract';
import { defineExposureCheck } from '../../define-exposure-check.ts';

/** Matches an index that exposes the health endpoint only. */
const HEALTH_ONLY = /^\{"_links":\{("(self|health|health-path)":\{[^{}]*\},?)+\}\}$/;

/** Judges by the index alone: even a HEAD request for /actuator/heapdump makes the server write a heap dump. */
function severityOf(body: string): Severity | undefined {
  if (/"heapdump"\s*:\s*\{/.test(body)) return 'CRITICAL';
  return HEALTH_ONLY.test(body.replace(/\s/g, '')) ? 'INFO' : undefined;
}

export default defineExposureCheck({
  id: 'exposed-actuator',
  severity: 'HIGH',
  cwe: 497,
  title: 'Spring Boot Actuator endpoints exposed',
  why: 'Management endpoints of Spring Boot Actuator are reachable without authentication. An attacker reads configuration and environment variables and, through a heap dump, passwords and session tokens in memory. The evidence shows the endpoint and the marker in its response.',
  fix: 'Expose only health (management.endpoints.web.exposure.include=health), require authentication with Spring Security, or bind management.server.port to an internal interface. Rotate the secrets that the endpoints disclosed.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/05-Enumerate_Infrastructure_and_Application_Admin_Interfaces',
    'https://docs.spring.io/spring-boot/reference/actuator/endpoints.html',
    'https://cwe.mitre.org/data/definitions/497.html',
  ],
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
      name: 'endpoint index',
      given: { files: { '/actuator': { body: '{"_links":{"self":{"href":"a"},"beans":{"href":"b"}}}' } } },
      fails: 1,
    },
    {
      name: 'health endpoint only',
      given: { files: { '/actuator': { body: '{"_links": {"self": {"href":"a"}, "health": {"href":"b"}}}' } } },
      fails: 1,
      severity: 'INFO',
    },
    {
      name: 'env endpoint',
      given: { files: { '/actuator/env': { body: '{"activeProfiles":[],"propertySources":[]}' } } },
      fails: 1,
    },
    {
      name: 'heapdump endpoint',
      given: { files: { '/actuator': { body: '{"_links":{"self":{"href":"a"},"heapdump":{"href":"b"}}}' } } },
      fails: 1,
      severity: 'CRITICAL',
    },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'same response for every path',
      given: { elsewhere: { status: 200, body: '{"_links":{"heapdump":{"href":"b"}}}' } },
      fails: 0,
    },
  ],
});
