/**
 * What DefectDojo's importer of generic findings demands, in our words: every key that it accepts, also those that we
 * do not write. It refuses the whole file for any other key, and for values that its columns cannot hold.
 */
const textOf = (maxLength: number) => ({ type: 'string', maxLength });
const text = { type: 'string' } as const;
const whole = { type: 'integer' } as const;
const flag = { type: 'boolean' } as const;
const date = { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] };
const score = { type: 'number', minimum: 0, maximum: 10 };
const share = { type: 'number', minimum: 0, maximum: 1 };

const all = (names: string, type: object) => Object.fromEntries(names.split(' ').map((name) => [name, type]));

const columns = {
  title: { ...textOf(511), minLength: 1 },
  severity: { enum: ['Critical', 'High', 'Medium', 'Low', 'Info'] },
  description: text,
  ...all('mitigation impact steps_to_reproduce severity_justification references param payload', text),
  ...all('cve numerical_severity thread_id sast_source_object sast_sink_object', { type: ['string', 'integer'] }),
  ...all('cwe line scanner_confidence sast_source_line nb_occurences', whole),
  ...all('active verified false_p out_of_scope risk_accepted under_review is_mitigated', flag),
  ...all('static_finding dynamic_finding known_exploited ransomware_used fix_available', flag),
  ...all('date mitigated publish_date planned_remediation_date kev_date', date),
  ...all('planned_remediation_version effort_for_fixing', textOf(99)),
  ...all('unique_id_from_tool vuln_id_from_tool component_name', textOf(500)),
  ...all('component_version fix_version', textOf(100)),
  ...all('file_path sast_source_file_path', textOf(4_000)),
  ...all('epss_score epss_percentile', share),
  ...all('cvssv3_score cvssv4_score', score),
  service: textOf(200),
  cvssv3: { ...textOf(117), pattern: '^CVSS:3\\.[01](?:/[A-Z]{1,3}:[A-Z])+$' },
  cvssv4: { ...textOf(255), pattern: '^CVSS:4\\.0(?:/[A-Z]{1,3}:[A-Za-z]+)+$' },
  tags: { type: 'array', items: { type: 'string', minLength: 1 } },
  vulnerability_ids: { type: 'array', items: { type: 'string', minLength: 1 } },
  cwes: { type: 'array', items: { type: ['string', 'integer'] } },
  // A text is an address; without a scheme it begins with the host.
  endpoints: { type: 'array', items: { anyOf: [{ type: 'string', minLength: 1 }, { type: 'object' }] } },
  files: { type: 'array', items: { type: 'object', required: ['data'], properties: { title: text, data: text } } },
};

export const defectDojoFormat = {
  type: 'object',
  required: ['findings'],
  properties: {
    ...all('name type version description', text),
    ...all('static_tool dynamic_tool soc', flag),
    findings: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'severity', 'description'],
        properties: columns,
        additionalProperties: false,
      },
    },
  },
};
