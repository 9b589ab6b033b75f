import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { effectOf, effectOfCall, effectOfQuery, type Told } from './effect.ts';

const at = (path: string) => new URL(path, 'http://shop.test/').href;
const changing = (lines: string) => lines.trim().split(/\s+/);

describe('a GET changes something', () => {
  const paths = changing(`
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
    /items/7/duplicate /items/7/clone /playlist/7/bookmark /zurücksetzen /konto/aktivieren /panier/vider?do=vaciar`);
  for (const path of paths) {
    it(path, () => assert.notEqual(effectOf('GET', at(path)), 'reads'));
  }
});

describe('a GET reads', () => {
  const paths = changing(`
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
    /reset-status /vote-history /subscribe-info /activate-help /mode /security /security/advisories /users/me`);
  const still = paths.filter((path) => !/q=reset|q=delete|setup\.exe/.test(path));
  for (const path of still) it(path, () => assert.equal(effectOf('GET', at(path)), 'reads'));
});

describe('a link is judged by its text', () => {
  const says = (label: string) => effectOf('GET', at('/x/page2'), label);
  const actions = [
    'Reset', 'Reset DB', 'Populate database', 'Toggle hints', 'Switch to low', 'Switch mode', 'Vote', 'Upvote', 'Vote for it',
    'Enforce SSL', 'Enable', 'Disable plugin', 'Activate', 'Approve', 'Mark as read', 'Mark all as done', 'Subscribe', 'Follow',
    'Start over', 'Start again', 'Setup / Reset DB', 'Install', 'Regenerate key', 'Add to cart', 'Add this to favourites',
    'Restore backup', 'Rebuild index', '5 points\nUpvote',  'Initialize', 'Zurücksetzen', 'Aktivieren', 'Réinitialiser',
    'Vaciar', 'Сбросить', '重置',
  ]; // biome-ignore format: a list of words
  for (const label of actions) it(label.replace('\n', ' '), () => assert.notEqual(says(label), 'reads'));

  const harmless = [
    'Home', 'Add product', 'Create account', 'New post', 'Edit', 'Settings', 'Subscribers', 'Votes', 'Likes (5)', 'Register',
    'Reading list', 'How voting works', 'Install guide', 'Addresses', 'Clear all filters', 'Toggle navigation', 'Archive list',
    'Enable two-step verification in ten easy steps for everybody', 'Installation', 'Markets', 'Started', 'Setups', 'Archive', 'Bookmark',
    'The reasons why approve is not enough',
  ]; // biome-ignore format: a list of words
  for (const label of harmless) it(`not ${label}`, () => assert.equal(says(label), 'reads'));

  it('unless it leads to a form', () => {
    assert.equal(effectOf('GET', at('/plugins/new'), 'Install plugin'), 'reads');
    assert.notEqual(effectOf('GET', at('/plugins/new?now=1'), 'Install plugin'), 'reads');
  });
});

describe('a described operation is judged by what its description says', () => {
  const effect = (told: Told) => effectOf('GET', at('/api/v1/ops'), told);
  it('as a change by name', () => {
    for (const name of [
      'populate_db',
      'api_views.main.populate_db',
      'resetDatabase',
      'reset_db_reset_get',
      'createDb',
    ]) {
      assert.notEqual(effect({ names: [name] }), 'reads', name);
    }
    assert.notEqual(effect({ names: ['PlayerController_toggleHints'] }), 'reads');
  });

  it('as a change by summary or description', () => {
    const told = [
      'Creates and populates the database with dummy data',
      'Resets the state',
      'Toggles the vulnerable mode',
      'Calling this endpoint will delete all users.',
      'Votes for an entry',
      'Enables the account',
      'Marks a message as read',
      'Adds an item to the basket',
    ];
    for (const text of told) assert.notEqual(effect({ prose: [text] }), 'reads', text);
  });

  it('as a read', () => {
    const told = [
      'Returns all payments', 'Get a user by name', 'Lists deleted users', 'Retrieve tokens', 'Shows the add form',
      'Health check', 'Addresses of the user', 'Update history', 'Current settings', 'Search for books to add',
      'Vote count', 'Install options',
    ]; // biome-ignore format: a list of sentences
    for (const text of told) assert.equal(effect({ prose: [text] }), 'reads', text);
    for (const name of [
      'getPayment',
      'listTransfers',
      'read_items_items__get',
      'findPetsByStatus',
      'UserController_findAll',
    ]) {
      assert.equal(effect({ names: [name], prose: ['Anything that resets nothing'] }), 'reads', name);
    }
  });
});

describe('a remote procedure is judged by its name', () => {
  const effectsOf = (names: string) => changing(names).map((name) => `${name} ${effectOfCall(name, at('/ws/teas'))}`);
  const all = (names: string, effect: string) => changing(names).map((name) => `${name} ${effect}`);

  it('as a read, if it does nothing else', () => {
    const names =
      'GetTea listTeas FindUsersAndRoles CheckInventory get_order_by_id ListTransfers GetPaymentStatus IsOpen';
    assert.deepEqual(effectsOf(names), all(names, 'reads'));
  });

  it('as a change, if it adds something', () => {
    const names = 'createOrder AddTea RegisterUser submit_review InsertNote';
    assert.deepEqual(effectsOf(names), all(names, 'changes'));
  });

  it('as dangerous otherwise', () => {
    const names = `CheckOut CheckIn CheckOutCart ReturnItem ReturnsBook GetAndDeleteMessages FindOrCreateUser GetIDAndLock
      ReadAndUpdateTea GetResetToken ApproveOrder BanUser CloseTicket LockAccount ForgotPassword RequestOtp UpdateTea Login
      CreateOrReplaceTea AddAndPublishTea MyProfileUpdate DeleteTea ProcessOrder CreatePayment`;
    assert.deepEqual(effectsOf(names), all(names, 'endangers'));
  });
});

describe('a GraphQL query is judged by its name and description', () => {
  it('as a change', () => {
    for (const name of [
      'deleteAllPastes',
      'resetDb',
      'createUser',
      'addItem',
      'toggleMode',
      'votePost',
      'seedData',
      'userDelete',
      'clear',
    ]) {
      assert.notEqual(effectOfQuery(name), 'reads', name);
    }
    assert.equal(effectOfQuery('system', 'Resets the database to its initial state.'), 'endangers');
  });

  it('as a read', () => {
    for (const name of [
      'user',
      'users',
      'addresses',
      'settings',
      'payment',
      'transfers',
      'createdPosts',
      'subscribers',
      'order',
      'node',
      'likes',
      'getDeleted',
      'updates',
      'dataset',
      'voteCount',
      'installOptions',
    ]) {
      assert.equal(effectOfQuery(name), 'reads', name);
    }
    assert.equal(effectOfQuery('pastes', 'Returns all pastes, also those that were deleted.'), 'reads');
  });
});
