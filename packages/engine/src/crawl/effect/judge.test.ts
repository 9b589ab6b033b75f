import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPage } from '../readers/read-page.ts';
import { effectOf, judge } from './judge.ts';

/** What each source may say, and what it then does. One table: a rule that misjudges one source is seen beside the others. */
interface Row {
  source: string;
  does: string;
  said: readonly string[];
  judged: (said: string) => string;
}

const SHOP = 'http://shop.test/';
const at = (path: string) => new URL(path, SHOP).href;
const words = (lines: string) => lines.trim().split(/\s+/);
const get = (path: string) => effectOf({ method: 'GET', url: at(path) });
const post = (path: string) => effectOf({ method: 'POST', url: at(path) });
const label = (said: string) => effectOf({ method: 'GET', url: at('/x/page2'), label: said });
const postedLabel = (said: string) => effectOf({ method: 'POST', url: at('/x/page2'), label: said });
const operation = (name: string) => effectOf({ method: 'GET', url: at('/api/v1/ops'), names: [name] });
const described = (text: string) => effectOf({ method: 'GET', url: at('/api/v1/ops'), prose: [text] });
const field = (name: string) => effectOf({ field: name });
const document = (text: string) => effectOf({ document: text, url: at('/graphql') });
const procedure = (name: string) => effectOf({ procedure: name, url: at('/ws/teas') });

function formIn(html: string) {
  const [form] = readPage(html, at('/tools')).forms;
  return form ?? assert.fail('the page has no form');
}
const form = (html: string) => effectOf({ form: formIn(html) });
const computes = (html: string) => String(judge({ form: formIn(html) }).isComputing === true);
/** A control as the browser tells of it: its words, then those of its form. The parts are divided by " § ". */
function control(said: string): string {
  const [html = '', label = ''] = said.split(' § ');
  const found = formIn(html);
  const action = /action="?([^\s">]+)/.exec(html)?.[1] ?? '';
  return effectOf({ control: [label.replaceAll('|', '\n'), found.headings ?? '', action].join('\n'), form: found });
}
const isSafe = (effect: string) => (effect === 'reads' ? 'reads' : 'does more');
const more = (judged: Row['judged']) => (said: string) => isSafe(judged(said));

const button = '<input type=button value=Submit onclick="submitForm()">';
const choice = '<select name=filename><option value=texts/intro.txt>Intro<option value=texts/end.txt>End</select>';

// biome-ignore format: a table
const TABLE: readonly Row[] = [
  { source: 'GET', does: 'does more', judged: more(get), said: words(`
    /reset /reset.php /resetdb /reset-db /reset_database /api/v1/reset /admin/reset-demo /createdb /create_db /create-tables
    /populate /populate_db /api/populate /initdb /init /db/seed-data /seed_users /db/seed /setup.php /setup /install.php
    /wp-admin/install.php /install /migrate /run-migrations?action=migrate /toggle /settings/toggle /toggle-maintenance
    /users/7/toggle /toggleMode /posts/7/like /posts/7/vote /vote/7 /vote?id=7 /polls/3/vote /upvote/9 /questions_list/9/upvote
    /cart/add/7 /cart/add?id=7 /add-to-cart/7 /add_to_cart?product=7 /?add-to-cart=7 /shop/?add_to_wishlist=12
    /newsletter/subscribe /topic-list/5/subscribe /forum/5/unsubscribe /users/7/follow /users/7/unfollow /favorites/7/favorite
    /plugins/enable /modules/7/disable /users/7/activate /account_activate?id=7 /comments/7/approve /comments/approve/7
    /reviews/7/reject /notifications/mark-all-read /messages/7/mark /cache/clear /clear-cache /flush /flushCache /cart/empty?do=empty /account/close
    /empty-cart /keys/regenerate /tokens/7/rotate /regenerate-token /switch-role /switch_mode?to=low /switch/7 /start-over /startOver
    /games/7/start /jobs/7/stop /orders/7/close /lock/7 /orders/7/ship /backup/restore /restore-backup /rollback
    /index.php?action=add /index.php?action=reset /index.php?do=toggle /index.php?op=approve&id=3 /admin.php?task=clearCache
    /index.php?r=site/index&cmd=reset /?reset=1 /?reset /?clear=1 /?toggle=on /items?delete=7 /page?logout=1 /list?vote=1
    /list?approve=7 /list?enable=1 /list?disable=1 /page?create=1 /prefs?security=low /prefs?security_level=0 /?enforce=1
    /index.php?page=home&do=toggle-security /sql.php?db=shop&drop=1 /index.php?route=/database/operations&action=drop
    /wp-admin/plugins.php?action=activate&plugin=x /wp-admin/edit-comments.php?action=approve&c=1 /wp-login.php?action=logout
    /admin/plugins.php?action=deactivate /magento/wishlist/index/add?product=5 /checkout/cart/add/uuid/?qty=1
    /oc/index.php?route=account/logout /users/sign_out /rails/users/7/ban /users/unban/7 /impersonate/7 /admin/users/7/impersonate
    /enforce-https /enforceSSL /https/enforce /api/users/7/promote /api/orders/7/archive /api/orders/7/reopen
    /items/7/duplicate /items/7/clone /playlist/7/bookmark /zurücksetzen /konto/aktivieren /panier/vider?do=vaciar
    /updatecolor?color=red /user/update?id=7&name=x /profile/save?nick=x /set_theme?value=dark /changeTheme?to=dark`) },
  { source: 'GET', does: 'reads', judged: get, said: words(`
    / /address /addresses /addons /add-ons /additional-info /subscribers /subscriptions /settings /settings/security /set/7
    /sets /dataset /create-date /created /created-at /products/new /products/create /posts/add /posts/7/edit /users/7/edit
    /admin/auth/user/add/ /admin/auth/user/7/change/ /list?sort=added /list?order=created_at /list?start=20 /list?page=2
    /list?sort=vote_count /list?filter=liked /likes /posts/7/likes /votes /voters /like-count /followers /following /toggles
    /install-guide /docs/install /help/reset /guide/setup /wiki/Reset /blog/reset-your-router-in-five-easy-steps /blog/install
    /tags/install /category/toggle /setup-instructions /upsets /presets /asset /resettlement /marketing /markdown /marks
    /bookmarks /approvals /approved /rejected /archive-list /archive /archives /bookmark?page=/search /rotate?angle=90 /merge /grant /enabled /features?enabled=true /users?active=1
    /users?status=disabled /users?role=admin /payments /payments/7 /api/transfers /api/refunds /payment-methods /refund-policy
    /cancellation-policy /deleted /published /publishers/7 /clearance /clearing-house /initiatives /initial /seeds /seedlings
    /migration-status /migrations /installations /switches /switchboard /startup /start /starter-kit /store /stores/7
    /locks /blocks /block/7x /blockchain /closed /closest?lat=1 /move-list /copyright /saved /savings /rates /rate-list
    /joins /shared /shares /book /books/7 /bookings /apply-guide /applications /registers /register /signup
    /login /search?q=reset /search?q=delete+me+not?=x /find?name=create /items?fields=create,update /report?type=create
    /api/v1/users /api/v1/users/7 /api/users/v1 /api/users/v1/name1 /actuator/health /wp-json/wp/v2/posts /index.php?page=home
    /index.php?action=view&id=7 /index.php?action=list /index.php?op=show /index.php?do=search&q=x /phpmyadmin/index.php?route=/sql
    /orders?action=export /view.php?id=7 /download?file=setup.exe /images/reset.png /static/toggle.css /theme?mode=dark
    /?lang=de /?seed=42 /random?seed=7 /calendar?start=2026-01-01&end=2026-02-01 /map?mark=berlin /vulnerabilities/sqli/
    /reset-status /vote-history /subscribe-info /activate-help /mode /security /security/advisories /users/me
    /updates?since=x /update?id=7 /users/edit?id=7&name=x /changelog?v=2 /settings?theme=x /articles/how-to-reset-your-router
    /articles/update-to-version-7 /dataset?name=x`).filter((path) => !/q=reset|q=delete|setup\.exe/.test(path)) },
  { source: 'GET in any spelling', does: 'endangers', judged: get, said: words(`
    /logout /LogOut /sign_out /log+out /log%6Fut /log%256Fut /%E0%A4/log%6Fut /userDelete /user/erasure-request /payNow /doSend
    /?action=delete /d%C3%A9connexion /x?to=%FF&logout=1`) },
  { source: 'GET', does: 'reads', judged: get, said: words('/preliminary /swiper /presets /paypal-info /sender /shared /silver /login /blog/out') },
  { source: 'POST', does: 'changes', judged: post, said: words('/notes /updatecolor /users/edit /api/orders /message /articles/my-slug') },
  { source: 'POST', does: 'endangers', judged: post, said: words('/logout /users/7/delete /deleteuser /removeItem /send /checkout /account/close /resetdb') },
  { source: 'link text', does: 'does more', judged: more(label), said: [
    'Reset', 'Reset DB', 'Populate database', 'Toggle hints', 'Switch to low', 'Switch mode', 'Vote', 'Upvote', 'Vote for it',
    'Enforce SSL', 'Enable', 'Disable plugin', 'Activate', 'Approve', 'Mark as read', 'Mark all as done', 'Subscribe', 'Follow',
    'Start over', 'Start again', 'Setup / Reset DB', 'Install', 'Regenerate key', 'Add to cart', 'Add this to favourites',
    'Restore backup', 'Rebuild index', '5 points\nUpvote',  'Initialize', 'Zurücksetzen', 'Aktivieren', 'Réinitialiser',
    'Vaciar', 'Сбросить', '重置',
  ] },
  { source: 'link text', does: 'reads', judged: label, said: [
    'Home', 'Add product', 'Create account', 'New post', 'Edit', 'Settings', 'Subscribers', 'Votes', 'Likes (5)', 'Register',
    'Reading list', 'How voting works', 'Install guide', 'Addresses', 'Clear all filters', 'Toggle navigation', 'Archive list',
    'Enable two-step verification in ten easy steps for everybody', 'Installation', 'Markets', 'Started', 'Setups', 'Archive', 'Bookmark',
    'The reasons why approve is not enough',
  ] },
  { source: 'label', does: 'endangers', judged: postedLabel, said: [
    'Log out', 'logoff', 'Sign-out', 'Abmelden', 'Ausloggen', 'Se déconnecter', 'Déconnexion', 'Cerrar sesión',
    'Terminar sessão', 'Sair', 'Uitloggen', 'Disconnetti', 'Wyloguj', 'Logga ut', 'Çıkış', 'Выйти', 'ログアウト', '로그아웃', '退出',
    'Delete', 'Löschen', 'Supprimer', 'Eliminar', 'Verwijderen', 'Удалить', '删除', '削除', 'Remove item', 'Reset',
    'Pay now', 'Buy', 'Bezahlen', 'Pagar', 'Acheter', 'Checkout', 'Transfer', 'Unsubscribe', 'Invite', 'Send',
  ].flatMap((each) => [each, each.toUpperCase(), each.normalize('NFD')]) },
  { source: 'OpenAPI operation', does: 'does more', judged: more(operation), said: words(`
    populate_db api_views.main.populate_db resetDatabase reset_db_reset_get createDb PlayerController_toggleHints`) },
  { source: 'OpenAPI operation', does: 'reads', judged: operation, said: words(`
    getPayment listTransfers read_items_items__get findPetsByStatus UserController_findAll`) },
  { source: 'OpenAPI description', does: 'does more', judged: more(described), said: [
    'Creates and populates the database with dummy data', 'Resets the state', 'Toggles the vulnerable mode',
    'Calling this endpoint will delete all users.', 'Votes for an entry', 'Enables the account', 'Marks a message as read',
    'Adds an item to the basket',
  ] },
  { source: 'OpenAPI description', does: 'reads', judged: described, said: [
    'Returns all payments', 'Get a user by name', 'Lists deleted users', 'Retrieve tokens', 'Shows the add form', 'Health check',
    'Addresses of the user', 'Update history', 'Current settings', 'Search for books to add', 'Vote count', 'Install options',
  ] },
  { source: 'SOAP procedure', does: 'reads', judged: procedure, said: words(`
    GetTea listTeas FindUsersAndRoles CheckInventory get_order_by_id ListTransfers GetPaymentStatus IsOpen`) },
  { source: 'SOAP procedure', does: 'changes', judged: procedure, said: words('createOrder AddTea RegisterUser submit_review InsertNote') },
  { source: 'SOAP procedure', does: 'endangers', judged: procedure, said: words(`
    CheckOut CheckIn CheckOutCart ReturnItem ReturnsBook GetAndDeleteMessages FindOrCreateUser GetIDAndLock ReadAndUpdateTea
    GetResetToken ApproveOrder BanUser CloseTicket LockAccount ForgotPassword RequestOtp UpdateTea Login CreateOrReplaceTea
    AddAndPublishTea MyProfileUpdate DeleteTea ProcessOrder CreatePayment`) },
  { source: 'GraphQL field', does: 'does more', judged: more(field), said: words(`
    deleteAllPastes resetDb createUser addItem toggleMode votePost seedData userDelete clear`) },
  { source: 'GraphQL field', does: 'reads', judged: field, said: words(`
    user users addresses settings payment transfers createdPosts subscribers order node likes getDeleted updates dataset
    voteCount installOptions`) },
  { source: 'GraphQL document', does: 'reads', judged: document, said: [
    'query CreateOrderPage { products { name } }', 'query Page { ...All } fragment All on Query { products { name } }', '{ me { id } }',
  ] },
  { source: 'GraphQL document', does: 'changes', judged: document, said: [
    '{ addToCart(id: 1) }', 'mutation { setNick(nick: "x") }', 'mutation Run { execute(kind: 3) }',
  ] },
  { source: 'GraphQL document', does: 'endangers', judged: document, said: [
    'query Page { products { name } all: deleteAllCarts }', 'mutation Refresh { deleteAllCarts }',
    'mutation DeleteAccount { execute(kind: 3) }', 'mutation Run { ...All } fragment All on Mutation { execute(kind: 3) }',
    'mutation Broken { execute(', 
  ] },
  { source: 'form', does: 'reads', judged: form, said: [
    '<form method=post><input name=id><button>Search</button></form>',
    '<form method=post><input name=wort><input type=submit value=Suchen></form>',
    '<form method=post><h3>Find a shop</h3><input name=city><button>Go</button></form>',
    '<form method=post><select name=kind><option></select><input name=search><button>Submit</button></form>',
    '<form method=post><input type=search name=x><button>Go</button></form>',
    '<h2>Find a store</h2><form method=post><input name=title><button>Search for a book</button></form>',
    '<form method=post class=top><input name=searchTerm><button><i></i></button></form>',
    '<form method=post><input name=query><button>Send</button></form>',
    ...['Submit', 'Submit button', 'Submit form'].map((said) => `<form method=post action=/home>${choice}<button>${said}</button></form>`),
    '<form action=/teas><input name=color><button>Update</button></form>',
    '<form action=/users/edit><input type=hidden name=id value=7><button>Edit</button></form>',
  ] },
  { source: 'form', does: 'changes', judged: form, said: [
    `<form method=post>${choice}<input name=text><button>Submit</button></form>`,
    `<form method=post>${choice}<button>Restore</button></form>`,
    `<form method=post action=/file/edit>${choice}<button>Submit</button></form>`,
    '<form method=post><select name=colour><option value=red>Red</select><button>Submit</button></form>',
    '<form method=post><select name=price><option value=9.99>9.99</select><button>Submit</button></form>',
    '<form method=post><select name=v><option value=v1.2>1.2</select><button>Go</button></form>',
    '<form method=post><select name=d><option value=shop.com>shop.com</select><button>Go</button></form>',
    '<form method=post><select name=theme><option value=dark.css>Dark</select><button>Submit</button></form>',
    '<form method=post><select name=p><option value=a.png>A<option value=b.jpg>B</select><button>Go</button></form>',
    `<form method=post action=/poll/vote>${choice}<button>Submit</button></form>`,
    `<form method=post id=background>${choice}<button>OK</button></form>`,
    `<h2>Pick your favorite</h2><form method=post>${choice}<button>Go</button></form>`,
    `<form method=post action=/use>${choice}<button>Submit</button></form>`,
    `<form method=post>${choice}<button>Make default</button></form>`,
    '<h2>Blocked words</h2><form method=post><input name=term><button>Block</button></form>',
    '<h2>Blocked words</h2><form method=post><input name=term><button>Submit</button></form>',
    '<form method=post><input name=findings><button>Submit</button></form>',
    '<form method=post><input name=research><button>Submit</button></form>',
    '<h2>Find us</h2><form method=post><input name=name><input name=message><button>Submit</button></form>',
    '<form method=post><input name=q><button>Suchauftrag anlegen</button></form>',
    '<form method=post action=/save-search><input name=q><button>Search</button></form>',
    '<h2>Add a filter</h2><form method=post><input name=query><button>Submit</button></form>',
    '<form method=post><input name=keyword><button>Turn on</button></form>',
    '<form method=post><input name=query><button>Save search</button></form>',
    '<form method=post><input name=search><input name=comment><button>Go</button></form>',
    '<form method=post><textarea name=search></textarea><button>Search</button></form>',
    '<form method=post><input type=file name=picture><button>Find similar</button></form>',
    '<form method=post><input name=name><button>Submit</button></form>',
    '<form method=post><input type=file name=f><button>Send file</button></form>',
    '<form method=post><input name=url><button>Send</button></form>',
    '<form method=post><input type=url name=x><input type=number name=y><button>Send it</button></form>',
    '<form action=/updatecolor><input name=color><button>Submit</button></form>',
    '<form action=/user/change><input name=nick><button>OK</button></form>',
  ] },
  { source: 'form', does: 'endangers', judged: form, said: [
    '<form method=post action=/delete><input name=q><button>Search</button></form>',
    '<form method=post><textarea name=url></textarea><button>Send</button></form>',
    '<form method=post><input name=email type=email><button>Send</button></form>',
    '<form method=post><input name=message><button>Send</button></form>',
    '<form method=post><input name=url><input name=message><button>Send</button></form>',
    '<form method=post><input name=code><button>Send money</button></form>',
    '<form method=post><input name=number><button>Send invitation</button></form>',
    '<form method=post><button>Send</button></form>',
    '<form method=post action=/send><input name=url><button>Send</button></form>',
    '<h2>Reset the database</h2><form method=post><button>Go</button></form>',
    '<form method=post><input type=hidden name=action value=delete><button>Go</button></form>',
  ] },
  { source: 'form that computes', does: 'true', judged: computes, said: [
    '<h2>Ping a host</h2><form method=post><input name=host><button>Submit</button></form>',
    '<form method=post action=/unit><input name=amount type=number><input type=submit value=Convert></form>',
    '<form method=post action=/signin-test><input name=hours><button>Convert</button></form>',
    '<form method=post id=f1><select name=page><option>intro</select><button>Show</button></form>',
  ] },
  { source: 'form that computes', does: 'false', judged: computes, said: [
    '<h2>Leave a comment</h2><form method=post><input name=c><button>Submit</button></form>',
    '<form method=post action=/orders><input name=c><button>Go</button></form>',
    '<form method=post><textarea name=c></textarea><button>Submit</button></form>',
    '<form method=post><input name=message><button>Submit</button></form>',
    '<form method=post><input name=c><button>Senden</button></form>',
    '<form method=post><input name=c type=email><button>Check</button></form>',
    '<h2>Poll of the week</h2><form method=post><input name=c><button>Submit</button></form>',
    '<form method=post action=/placeBid><input name=c><button>Submit</button></form>',
    '<h2>Sign the petition</h2><form method=post><input name=c><button>Submit</button></form>',
    '<h2>Hours of this week</h2><form method=post><input name=c><button>Submit</button></form>',
    '<form method=post><input name=myScore type=number><button>Submit</button></form>',
    '<form method=get><input name=c><button>Show</button></form>',
  ] },
  { source: 'control of a script', does: 'reads', judged: control, said: [
    `<form action=/lab/17 method=post><input name=a>${button}</form> § Submit|btn|submitForm()`,
    `<form action=/lab/17 method=post><input name=a value=x>${button}</form> § Submit|btn|submitForm()`,
    '<form><input name=column value=price><input type=button value=Filter></form> § Filter|press()',
  ] },
  { source: 'control of a script', does: 'does more', judged: more(control), said: [
    `<form><button type=button onclick="fetch('/do?f=12&s=2')">Save</button></form> § Save|fetch('/do?f=12&s=2')`,
    '<form><button type=button>Approve</button></form> § Approve',
    '<form><button type=button>+1</button></form> § +1|voteUp()',
    '<form><button type=button>Alerts</button></form> § Alerts|toggleAlerts()',
    `<form method=post action=/user><h2>Edit your profile</h2><input name=mail value=a@b.test>${button}</form> § OK|this.form.submit()`,
    '<form method=post action=/user><input name=mail value=a@b.test><button>Update</button><button type=button>More</button></form> § More|form.submit()',
    '<form method=post action=/user><input type=hidden name=id value=5><input name=mail value=a@b.test><button type=button>OK</button></form> § OK|form.submit()',
    `<form method=post action=/teas/edit>${button}</form> § Submit|btn|submitForm()`,
  ] },
];

describe('what a request does', () => {
  for (const { source, does, said, judged } of TABLE) {
    for (const each of said)
      it(`${source}: ${each.replaceAll('\n', ' ')} → ${does}`, () => assert.equal(judged(each), does));
  }

  it('is told with its reason', () => {
    const told = (asked: Parameters<typeof judge>[0]) => {
      const { deed, why } = judge(asked);
      return `${deed}: ${why}`;
    };
    const url = at('/x');
    assert.deepEqual(
      [
        told({ method: 'GET', url: at('/logout') }),
        told({ method: 'DELETE', url }),
        told({ method: 'POST', url, label: 'Pay now' }),
        told({ method: 'POST', url: at('/updatecolor') }),
        told({ method: 'POST', url }),
        told({ form: formIn('<form method=post><input name=message><button>Send</button></form>') }),
        told({ document: 'mutation { deleteAllCarts }', url }),
        told({ procedure: 'CloseTicket', url }),
      ],
      [
        'endsSession: its URL says "logout"',
        'deletes: its method is DELETE',
        'pays: its label says "pay"',
        'changes: its path names an edit',
        'creates: its method is POST',
        'sends: its label says "send"',
        'deletes: its label says "delete"',
        'acts: its procedure CloseTicket may change things of others',
      ],
    );
  });

  it('depends on the whole of what is told', () => {
    assert.equal(label('Install plugin'), 'endangers');
    assert.equal(effectOf({ method: 'GET', url: at('/plugins/new'), label: 'Install plugin' }), 'reads');
    assert.notEqual(effectOf({ method: 'GET', url: at('/plugins/new?now=1'), label: 'Install plugin' }), 'reads');
    const names = ['listTransfers'];
    assert.equal(effectOf({ method: 'GET', url: at('/ops'), names, prose: ['Anything that resets nothing'] }), 'reads');
    assert.equal(effectOf({ field: 'system', description: 'Resets the database to its initial state.' }), 'endangers');
    assert.equal(
      effectOf({ field: 'pastes', description: 'Returns all pastes, also those that were deleted.' }),
      'reads',
    );
    const login = [
      { location: 'json' as const, name: '/user', value: '' },
      { location: 'json' as const, name: '/password', value: '' },
    ];
    assert.equal(effectOf({ method: 'POST', url: at('/api/login'), parameters: login }), 'logsIn');
    assert.equal(effectOf({ method: 'POST', url: at('/api/users'), parameters: login }), 'changes');
  });
});
