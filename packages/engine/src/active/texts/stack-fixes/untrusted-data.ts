import type { FixTable } from './stack-fix.ts';

/** Values that the server restores, includes, merges or writes into a format of another program. */
export const untrustedDataFixes: FixTable = {
  502: {
    node: 'JSON.parse() instead of node-serialize and other packages that restore functions; with js-yaml, load() of version 4.',
    python:
      'json.loads(), and yaml.safe_load() for YAML. pickle has no safe mode: where it has to stay, check an HMAC with hmac.compare_digest() before loads().',
    rails:
      'JSON.parse(text) instead of Marshal.load, YAML.safe_load(text), and config.action_dispatch.cookies_serializer = :json.',
    laravel:
      'json_decode(Crypt::decryptString($value), true): Crypt::decrypt() restores objects if the APP_KEY is known.',
    php: "json_decode($text, true); unserialize($text, ['allowed_classes' => false]) where the format has to stay.",
    java: 'stream.setObjectInputFilter(ObjectInputFilter.Config.createFilter("com.example.Order;!*")) before readObject(). With Jackson, no activateDefaultTyping().',
    dotnet: 'System.Text.Json instead of BinaryFormatter; with Newtonsoft.Json, TypeNameHandling.None.',
  },
  113: {
    nginx:
      '$request_uri instead of $uri or $document_uri in return, rewrite and add_header: these two are decoded and contain the line breaks.',
    node: 'res.setHeader() and res.redirect() refuse line breaks: use them instead of writing to res.socket.',
    python: 'Django and Werkzeug refuse line breaks. With http.server, refuse them before send_header().',
    php: 'header() refuses line breaks: look for another place that writes the header, such as a proxy, and rawurlencode() values in URLs.',
    java: 'URLEncoder.encode(value, StandardCharsets.UTF_8) before response.setHeader() or sendRedirect().',
  },
  98: {
    php: "$pages = ['delivery' => 'delivery.php']; include __DIR__ . '/' . ($pages[$_GET['page']] ?? 'start.php'); and allow_url_include = Off in php.ini.",
    laravel: "view('pages.'.$page) only if in_array($page, ['delivery', 'terms'], true).",
    node: 'Take the module from a Map of the known ones; no import() or require() of a name from the request.',
    python: 'Take the module from a dict of the known ones; no importlib.import_module() of a name from the request.',
    java: 'Take the page from a Map of the known ones; no <c:import> or <jsp:include> of a URL from the request.',
  },
  97: {
    nginx: 'ssi off; (the default) in locations of pages with data of users.',
    apache: 'Options -Includes, or Options IncludesNOEXEC where pages need includes.',
    java: 'factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_STYLESHEET, "") and setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true); pass values by transformer.setParameter().',
    python:
      'With lxml, etree.XSLT(sheet, access_control=etree.XSLTAccessControl.DENY_ALL), and values as etree.XSLT.strparam(value).',
    php: "$processor->setParameter('', 'name', $value) for values, and no registerPHPFunctions().",
    dotnet: 'XsltSettings.Default, without scripts and document(), and values by XsltArgumentList.AddParam().',
  },
  'server-prototype-pollution': {
    express:
      "app.use(express.json({ reviver: (key, value) => (['__proto__', 'constructor'].includes(key) ? undefined : value) })).",
    node: 'Parse bodies by a schema that refuses other keys, such as z.strictObject({ … }), before they are merged. Update lodash to 4.17.21 or later for merge() and set().',
  },
  'client-prototype-pollution': {
    react: 'useSearchParams() of React Router instead of a parser that nests keys.',
    angular: 'ActivatedRoute.queryParamMap instead of a parser that nests keys.',
    vue: 'route.query of Vue Router instead of a parser that nests keys.',
  },
  'graphql-alias-overloading': {
    node: 'With Apollo Server, new ApolloServer({ …, ...new ApolloArmor({ maxAliases: { n: 15 } }).protect() }) of GraphQL Armor.',
    python:
      'With Strawberry, the extensions MaxAliasesLimiter(max_alias_count=15) and QueryDepthLimiter(max_depth=10).',
    java: 'With graphql-java, new MaxQueryComplexityInstrumentation(200) and new MaxQueryDepthInstrumentation(10).',
    rails: 'With graphql-ruby, max_complexity 200 and max_depth 10 in the schema class.',
    laravel: "With Lighthouse, 'max_query_complexity' and 'max_query_depth' under 'security' in config/lighthouse.php.",
    php: 'With webonyx/graphql-php, DocumentValidator::addRule(new QueryComplexity(200)).',
    go: 'With gqlgen, server.Use(extension.FixedComplexityLimit(200)).',
  },
  'graphql-batching': {
    node: 'With Apollo Server 4, keep allowBatchedHttpRequests at its default, false.',
    python: 'With Graphene-Django, GraphQLView.as_view(batch=False), the default.',
    rails: 'No Schema.multiplex() with a list from the request, or with at most a few entries of it.',
  },
  1236: {
    node: 'With csv-stringify, stringify(rows, { escape_formulas: true }).',
    django: 'With django-import-export, IMPORT_EXPORT_ESCAPE_FORMULAE_ON_EXPORT = True.',
    python: "With openpyxl, cell.data_type = 's' after the value was set: text that begins with = stays text.",
    rails: 'With caxlsx, sheet.add_row(values, escape_formulas: true).',
    php: 'With PhpSpreadsheet, $sheet->setCellValueExplicit($cell, $value, DataType::TYPE_STRING).',
    java: 'With Apache POI, cell.setCellValue(value) in an XLSX; setCellFormula() never with stored values.',
    dotnet: 'With CsvHelper, InjectionOptions = InjectionOptions.Escape in the CsvConfiguration.',
    go: 'With excelize, file.SetCellStr(sheet, cell, value).',
  },
};
