import type { FixTable } from './stack-fix.ts';

export const injectionFixes: FixTable = {
  89: {
    node: "Pass values separately from the text: pool.query('SELECT * FROM items WHERE id = $1', [id]) with pg, pool.execute('SELECT * FROM items WHERE id = ?', [id]) with mysql2.",
    django:
      "Use the ORM: Item.objects.filter(name=value). In raw() and cursor.execute() pass params: Item.objects.raw('SELECT * FROM items WHERE name = %s', [value]).",
    flask:
      "Bind parameters with SQLAlchemy: session.execute(text('SELECT * FROM items WHERE id = :id'), {'id': value}).",
    fastapi:
      "Bind parameters with SQLAlchemy: session.execute(text('SELECT * FROM items WHERE id = :id'), {'id': value}).",
    python:
      "Pass values as the second argument: cursor.execute('SELECT * FROM items WHERE id = %s', (value,)), or ? with sqlite3. Do not build the text with % or an f-string.",
    rails:
      "Use Item.where(name: params[:name]) or Item.where('name = ?', params[:name]). Do not interpolate into where, order or find_by_sql.",
    laravel:
      "Use the query builder, or bindings: DB::select('select * from items where id = ?', [$id]). Put no request data into DB::raw(), whereRaw() or orderByRaw() without bindings.",
    php: "$statement = $pdo->prepare('SELECT * FROM items WHERE id = ?'); $statement->execute([$id]);",
    spring:
      'jdbcTemplate.query("SELECT * FROM items WHERE id = ?", mapper, id), or a repository method with @Query and :id.',
    java: 'PreparedStatement statement = connection.prepareStatement("SELECT * FROM items WHERE id = ?"); statement.setString(1, id);',
    dotnet:
      'command.CommandText = "SELECT * FROM items WHERE id = @id"; command.Parameters.AddWithValue("@id", id); with EF Core use LINQ or FromSqlInterpolated.',
    go: 'db.Query("SELECT * FROM items WHERE id = $1", id); the placeholder is ? with MySQL and SQLite. Do not build the text with fmt.Sprintf.',
    postgresql:
      'The application needs no superuser: a superuser can run programs by COPY … FROM PROGRAM. Check with \\du in psql.',
    mysql:
      'Revoke the FILE privilege of the application (REVOKE FILE ON *.* FROM …): with it, an injection reads and writes files of the server.',
    sqlite:
      'The placeholder is ?: SELECT * FROM items WHERE id = ?, with the value as a separate argument of the driver.',
    mssql:
      "Parameters are @name. Leave xp_cmdshell disabled (EXEC sp_configure 'xp_cmdshell' shows it) and do not log in as sa.",
  },
  943: {
    express:
      "Set app.set('query parser', 'simple'), so that ?name[$ne]=x stays text, and reject body values with typeof value !== 'string'. With Mongoose, mongoose.set('sanitizeFilter', true).",
    node: "Reject values with typeof value !== 'string' before they become part of a filter.",
    php: "Convert the value: ['name' => (string) $_GET['name']]. PHP makes arrays of name[$ne]=x.",
    python: 'Reject values that are not isinstance(value, str) before they become part of a filter.',
    mongodb: 'Set security.javascriptEnabled: false in mongod.conf, so that $where and $function are refused.',
  },
  78: {
    node: "execFile('ping', ['-c', '1', '--', host]) instead of exec(), and no shell: true.",
    python: "subprocess.run(['ping', '-c', '1', '--', host]) without shell=True; no os.system().",
    laravel: "Process::run(['ping', '-c', '1', '--', $host]): a list is not parsed by a shell.",
    php: "proc_open(['ping', '-c', '1', '--', $host], …) with a list of arguments. In shell_exec() and exec(), escapeshellarg() on every value.",
    java: 'new ProcessBuilder("ping", "-c", "1", "--", host).start(), not Runtime.exec with sh -c.',
    rails: "system('ping', '-c', '1', '--', host) with separate arguments; no backticks with interpolation.",
    dotnet: 'new ProcessStartInfo("ping") { UseShellExecute = false } with ArgumentList.Add(host) for each argument.',
    go: 'exec.Command("ping", "-c", "1", "--", host), not exec.Command("sh", "-c", …).',
  },
  95: {
    node: 'Use JSON.parse() for data and a parser for formulas. The module vm is not a security boundary.',
    python:
      'ast.literal_eval() parses literals without running code; there is no safe way to use eval() or exec() with request data.',
    php: 'No eval(), and no include of a name from the request.',
    spring: 'SimpleEvaluationContext.forReadOnlyDataBinding() instead of StandardEvaluationContext for SpEL.',
    rails: 'No eval, instance_eval, constantize or send with a name from the request.',
  },
  22: {
    express: 'res.sendFile(name, { root }) refuses paths outside of root.',
    node: 'const file = path.resolve(root, name); if (!file.startsWith(root + path.sep)) respond with 404.',
    flask: 'send_from_directory(root, name) refuses paths outside of root.',
    python: 'file = (root / name).resolve(); refuse it unless file.is_relative_to(root).',
    php: "$file = realpath($root . '/' . $name); refuse it unless $file !== false and str_starts_with($file, $root . '/').",
    java: 'Path file = root.resolve(name).normalize(); refuse it unless file.startsWith(root).',
    rails: 'file = File.expand_path(name, root); refuse it unless file.start_with?("#{root}/").',
    dotnet:
      'var file = Path.GetFullPath(Path.Combine(root, name)); refuse it unless file.StartsWith(root + Path.DirectorySeparatorChar, StringComparison.Ordinal).',
    go: 'Refuse names for which filepath.IsLocal(name) is false; since Go 1.24, open files with os.OpenRoot(root).',
  },
  611: {
    java: 'factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true) before parsing.',
    python: 'Parse with defusedxml, or with lxml by etree.XMLParser(resolve_entities=False, no_network=True).',
    php: 'Do not pass LIBXML_NOENT or LIBXML_DTDLOAD to simplexml_load_string() and DOMDocument::loadXML().',
    dotnet: 'new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null }.',
    rails: 'Nokogiri::XML(text) without the options NOENT and DTDLOAD.',
    node: 'With libxmljs, do not pass noent: true.',
  },
  1336: {
    express:
      "res.render('page', { name }) with a template file; no ejs.render(), pug.compile() or Handlebars.compile() on request data.",
    flask: "render_template('page.html', name=name), not render_template_string() on request data.",
    python: 'Where users write templates, use jinja2.sandbox.SandboxedEnvironment.',
    laravel: "view('page', ['name' => $name]); no Blade::render() on request data.",
    php: "With Twig, $twig->render('page.html', ['name' => $name]), not createTemplate() on request data.",
    java: 'With FreeMarker, pass values in the data model, and call setNewBuiltinClassResolver(TemplateClassResolver.ALLOWS_NOTHING_RESOLVER).',
    rails: 'No render inline: and no ERB.new() with request data.',
    go: 'Parse constant templates only, and pass the value to Execute().',
  },
  90: {
    java: 'With Spring LDAP, query().where("uid").is(name); otherwise LdapEncoder.filterEncode(name).',
    python: 'ldap3.utils.conv.escape_filter_chars(name), or ldap.filter.escape_filter_chars(name) with python-ldap.',
    php: "ldap_escape($name, '', LDAP_ESCAPE_FILTER).",
    node: 'Build the filter from objects, for example new EqualityFilter({ attribute, value }), not from text.',
  },
  643: {
    java: 'Set an XPathVariableResolver and write //user[@name=$name].',
    python: "With lxml, tree.xpath('//user[@name=$name]', name=name).",
    node: "With the package xpath, xpath.parse('//user[@name=$name]').select({ node, variables: { name } }).",
  },
  918: {
    node: "Call fetch with { redirect: 'error' }, after the resolved address was checked.",
    python: 'requests.get(url, allow_redirects=False), after the resolved address was checked.',
    php: 'Set CURLOPT_FOLLOWLOCATION to false and CURLOPT_PROTOCOLS to CURLPROTO_HTTPS.',
    java: 'HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).',
    dotnet: 'new HttpClientHandler { AllowAutoRedirect = false }.',
    go: 'Give the http.Transport a net.Dialer whose Control function refuses private addresses: it sees the address that is connected to.',
  },
};
