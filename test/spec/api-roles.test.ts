/**
 * Who may call what (X12, E7): every management route of the loaded gateway, queried by everybody
 * there is, old sessions included; and what stands behind ids that can be guessed.
 */
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import type { LoadedRoute } from '../../kernel/contract/management.js'
import { requiredScope, tokenScopes } from '../../kernel/toolkit/management/index.js'
import { startGateway } from '../kit/gateway.js'
import { type Management, management, root as rootPerson, type Sent } from '../kit/management.js'
import { stillDatabase } from './whole-database.js'

t.setTimeout(360_000)

const {
  url,
  admin: root,
  gateway,
} = await startGateway(t, {
  // Mails are counted by the caller's address, so everybody gets one of their own.
  environment: { trustedProxies: ['127.0.0.1'] },
})
const { knex } = gateway.service('database')
const managed = gateway
  .service('catalog')
  .routes()
  .filter(({ management: area }) => area !== undefined)

const nameOf = ({ manifest, declared }: LoadedRoute) =>
  `${manifest.id.replace('management.', '')}.${declared.name}`

const password = 'correct horse battery'

interface Person extends Management {
  readonly id: number
  readonly accessToken: string
}

/** Made by root, and signed in. */
async function person(username: string, role: 1 | 10): Promise<Person> {
  const { id } = await root.must('POST', '/api/user/', { username, password, role })
  const signedIn = management(url)
  await signedIn.login(username, password)
  return { ...signedIn, id, accessToken: await accessTokenOf(signedIn, password) }
}

async function accessTokenOf(client: Management, secret: string): Promise<string> {
  return client.must('POST', '/api/user/token', {}, await client.prove('access_token', secret))
}

const boss = await person('boss', 10)
const ada = await person('ada', 1)
const bob = await person('bob', 1)
const ofRoot = await accessTokenOf(root, rootPerson.password)

/** Each signed in while they still might. */
async function formerly(
  username: string,
  role: 1 | 10,
  action: 'disable' | 'demote' | 'delete',
): Promise<Person> {
  const gone = await person(username, role)
  await root.must('POST', '/api/user/manage', { id: gone.id, action })
  return gone
}

const dora = await formerly('dora', 10, 'disable')
const emil = await formerly('emil', 10, 'demote')
const finn = await formerly('finn', 10, 'delete')
const gina = await formerly('gina', 1, 'disable')
const hugo = await formerly('hugo', 1, 'delete')

interface Caller {
  readonly name: string
  /** 0: nobody. */
  readonly role: number
  readonly client: Pick<Management, 'call'>
  /** Shows an access token, as scripts do, and has no session. */
  readonly isScript?: boolean
}

/** As scripts call, with or without the word before the token. */
function script(accessToken: string, word = ''): Pick<Management, 'call'> {
  const client = management(url)
  return {
    call: (method, path, body, headers) =>
      client.call(method, path, body, { authorization: `${word}${accessToken}`, ...headers }),
  }
}

function scriptOf(name: string, role: number, accessToken: string, word = ''): Caller {
  const message = `the access token of ${name}${word && ', as Bearer'}`
  return { name: message, role, client: script(accessToken, word), isScript: true }
}

const callers: readonly Caller[] = [
  { name: 'a stranger', role: 0, client: management(url) },
  { name: 'a disabled admin', role: 0, client: dora },
  { name: 'a demoted admin', role: 0, client: emil },
  { name: 'a deleted admin', role: 0, client: finn },
  { name: 'a disabled user', role: 0, client: gina },
  { name: 'a deleted user', role: 0, client: hugo },
  { name: 'a user', role: 1, client: ada },
  { name: 'another user', role: 1, client: bob },
  { name: 'an admin', role: 10, client: boss },
  { name: 'root', role: 100, client: root },
  scriptOf('nobody', 0, 'A'.repeat(32), 'Bearer '),
  scriptOf('a disabled admin', 0, dora.accessToken),
  scriptOf('a deleted admin', 0, finn.accessToken, 'Bearer '),
  scriptOf('a disabled user', 0, gina.accessToken),
  scriptOf('a deleted user', 0, hugo.accessToken),
  scriptOf('a user', 1, ada.accessToken),
  scriptOf('a user', 1, ada.accessToken, 'Bearer '),
  // Who was an admin is a user now, whatever their token was made as.
  scriptOf('a demoted admin', 0, emil.accessToken, 'Bearer '),
  scriptOf('an admin', 10, boss.accessToken),
  scriptOf('root', 100, ofRoot, 'Bearer '),
]

/** What a route is queried, and how it answers those who may ask. Ids are of nothing, so that asking twice is the same. */
type RequestOptions = readonly [status: number, address: string, body?: object]

const days = 'from=2026-11-01&to=2026-11-02'
const nothing = 999_999

/** Credentials as authenticators write them, of nobody. */
const noPasskey = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' }
const clientDataJSON = Buffer.from('{}').toString('base64url')
const madePasskey = { ...noPasskey, response: { clientDataJSON, attestationObject: 'AAAA' } }
const usedPasskey = {
  ...noPasskey,
  response: { clientDataJSON, authenticatorData: 'AAAA', signature: 'AAAA' },
}

const request: Readonly<Record<string, RequestOptions>> = {
  'account.self': [200, '/api/user/self'],
  'account.securityEvents': [200, '/api/user/self/security_events'],
  'account.update': [200, '/api/user/self', {}],
  'account.remove': [403, '/api/user/self'],
  'account.passwordLogin': [403, '/api/user/password_login', { enabled: false }],
  'account.newAccessToken': [403, '/api/user/token'],
  'account.noAccessToken': [405, '/api/user/token'],
  'access-tokens.list': [200, '/api/user/access_tokens'],
  'access-tokens.create': [403, '/api/user/access_tokens', { name: 'none', scopes: ['read'] }],
  'access-tokens.remove': [404, `/api/user/access_tokens/${nothing}`],
  'access-tokens.scopes': [200, '/api/user/access_token_scopes'],
  'affinity.stats': [200, '/api/option/channel_affinity_cache'],
  'affinity.clear': [404, '/api/option/channel_affinity_cache?rule=none'],
  'logs.trace': [404, '/api/log/trace/none'],
  'logs.ownTrace': [404, '/api/log/self/trace/none'],
  'logs.recording': [404, '/api/log/trace/none/recording'],
  'logs.ownRecording': [404, '/api/log/self/trace/none/recording'],
  'logs.removeRecording': [404, '/api/log/trace/none/recording'],
  'logs.removeOwnRecording': [404, '/api/log/self/trace/none/recording'],
  'logs.models': [200, '/api/log/models?keyword=none'],
  'analytics.channelModels': [200, `/api/analytics/channel_models?channel=${nothing}`],
  'recordings.state': [200, '/api/recordings'],
  'recordings.stored': [200, '/api/recordings/stored'],
  'recordings.removeAll': [200, '/api/recordings/stored'],
  'recordings.switchOn': [400, '/api/recordings/everybody', {}],
  'recordings.switchOff': [200, '/api/recordings/everybody'],
  'recordings.key': [404, `/api/recordings/keys/${nothing}`, { level: '' }],
  'audit.list': [200, '/api/audit/'],
  'audit.verify': [200, '/api/audit/verify?day=2026-01-31'],
  'auto-routes.list': [200, '/api/auto_route/'],
  'auto-routes.read': [404, '/api/auto_route/none'],
  'auto-routes.create': [400, '/api/auto_route/', { key: 'k', groups: ['no such group'] }],
  'auto-routes.update': [404, '/api/auto_route/', { key: 'none' }],
  'auto-routes.remove': [404, '/api/auto_route/none'],
  'breakers.list': [200, '/api/channel/breakers'],
  'breakers.health': [200, '/api/channel/health?ids=1'],
  'breakers.reset': [404, `/api/channel/${nothing}/breakers/reset`, {}],
  'channel-keys.manage': [
    404,
    '/api/channel/multi_key/manage',
    { channel_id: nothing, action: 'get_key_status' },
  ],
  'channel-keys.reveal': [404, `/api/channel/${nothing}/key`],
  'channel-tests.test': [404, `/api/channel/test/${nothing}`],
  'channel-tests.fullRequests': [200, '/api/channel/test/requests'],
  'channel-tests.full': [404, `/api/channel/test/${nothing}/full`, {}],
  'channel-tests.testAll': [200, '/api/channel/test'],
  'channel-tests.testProgress': [200, '/api/channel/test/progress'],
  'channel-tests.balance': [404, `/api/channel/update_balance/${nothing}`],
  'channel-tests.balances': [200, '/api/channel/update_balance'],
  'channel-tests.balanceProgress': [200, '/api/channel/update_balance/progress'],
  'channel-tests.fetchModels': [404, `/api/channel/fetch_models/${nothing}`],
  'channel-tests.fetchDraft': [400, '/api/channel/fetch_models', { type: nothing, key: 'k' }],
  'channel-tests.detect': [404, '/api/channel/upstream_updates/detect', { id: nothing }],
  'channel-tests.detectAll': [200, '/api/channel/upstream_updates/detect_all'],
  'channel-tests.updateProgress': [200, '/api/channel/upstream_updates/progress'],
  'channel-tests.apply': [404, '/api/channel/upstream_updates/apply', { id: nothing }],
  'channel-tests.applyAll': [200, '/api/channel/upstream_updates/apply_all'],
  'channels.list': [200, '/api/channel/'],
  'channels.search': [200, '/api/channel/search?keyword=none'],
  'channels.read': [404, `/api/channel/${nothing}`],
  'channels.create': [
    400,
    '/api/channel/',
    { type: nothing, name: 'none', key: 'none', models: 'none' },
  ],
  'channels.update': [404, '/api/channel/', { id: nothing, name: 'none' }],
  'channels.setStatus': [404, `/api/channel/${nothing}/status`, { status: 2 }],
  'channels.setStatuses': [200, '/api/channel/status/batch', { ids: [nothing], status: 2 }],
  'channels.remove': [404, `/api/channel/${nothing}`],
  'channels.removeDisabled': [200, '/api/channel/disabled'],
  'channels.removeIds': [200, '/api/channel/batch', { ids: [nothing] }],
  'channels.setTag': [200, '/api/channel/batch/tag', { ids: [nothing], tag: 'none' }],
  'channels.changeMany': [
    200,
    '/api/channel/batch/edit',
    { ids: [nothing], changes: { priority: 0 } },
  ],
  'channels.changeTag': [404, '/api/channel/tag', { tag: 'none' }],
  'channels.enableTag': [404, '/api/channel/tag/enabled', { tag: 'none' }],
  'channels.disableTag': [404, '/api/channel/tag/disabled', { tag: 'none' }],
  'channels.modelsOfTag': [404, '/api/channel/tag/models?tag=none'],
  'channels.copy': [404, `/api/channel/copy/${nothing}`],
  'channels.models': [200, '/api/channel/models'],
  'channels.enabledModels': [200, '/api/channel/models_enabled'],
  'channels.fix': [200, '/api/channel/fix'],
  'custom-oauth.list': [200, '/api/custom-oauth-provider/'],
  'custom-oauth.discovery': [400, '/api/custom-oauth-provider/discovery?url=none'],
  'custom-oauth.read': [404, `/api/custom-oauth-provider/${nothing}`],
  'custom-oauth.create': [400, '/api/custom-oauth-provider/', {}],
  'custom-oauth.update': [404, `/api/custom-oauth-provider/${nothing}`, {}],
  'custom-oauth.remove': [404, `/api/custom-oauth-provider/${nothing}`],
  'margin.overview': [200, `/api/margin/?${days}`],
  'margin.ranking': [200, `/api/margin/by?${days}&by=channel`],
  'margin.bill': [200, `/api/margin/bill?${days}&channel=1`],
  'analytics.overview': [200, `/api/analytics/?${days}`],
  'analytics.overviewOwn': [200, `/api/analytics/self?${days}`],
  'analytics.ranking': [200, `/api/analytics/by?${days}&dimension=model`],
  'analytics.rankingOwn': [200, `/api/analytics/self/by?${days}&dimension=model`],
  'analytics.errors': [200, `/api/analytics/errors?${days}`],
  'analytics.errorsOwn': [200, `/api/analytics/self/errors?${days}`],
  'data.all': [200, '/api/data/'],
  'data.own': [200, '/api/data/self'],
  'data.users': [200, '/api/data/users'],
  'groups.list': [200, '/api/group/'],
  'groups.own': [200, '/api/user/self/groups'],
  'groups.own-short': [200, '/api/user/groups'],
  'groups.for-keys': [200, '/api/token/auto-groups'],
  'groups.all': [200, '/api/group/all'],
  'groups.put': [400, '/api/group/', { name: 'none' }],
  'groups.remove': [404, '/api/group/none'],
  'groups.models': [200, '/api/user/models'],
  'media.models': [200, '/api/media/models'],
  'media.price': [503, '/api/media/price', { model: 'nothing', fields: {} }],
  'health.health': [200, '/health'],
  'health.live': [200, '/health/live'],
  'health.ready': [200, '/health/ready'],
  'invitations.code': [200, '/api/user/aff'],
  'invitations.transfer': [409, '/api/user/aff_transfer', { quota: 500_000 }],
  'ledger.overview': [200, '/api/ledger'],
  'ledger.holds': [200, '/api/ledger/holds'],
  'ledger.entries': [200, '/api/ledger/entries'],
  'ledger.check': [200, '/api/ledger/check', {}],
  'logs.list': [200, '/api/log/'],
  'logs.own': [200, '/api/log/self'],
  'logs.search': [200, '/api/log/search?keyword=none'],
  'logs.searchOwn': [200, '/api/log/self/search?keyword=none'],
  'logs.totals': [200, '/api/log/stat'],
  'logs.totalsOwn': [200, '/api/log/self/stat'],
  'logs.trim': [200, '/api/log/?target_timestamp=1'],
  'models.list': [200, '/api/models/'],
  'models.search': [200, '/api/models/search?keyword=none'],
  'models.missing': [200, '/api/models/missing'],
  'models.unknown': [200, '/api/models/unknown'],
  'models.read': [404, `/api/models/${nothing}`],
  'models.create': [400, '/api/models/', { model_name: 'none', vendor_id: nothing }],
  'models.update': [404, '/api/models/', { id: nothing }],
  'models.remove': [404, `/api/models/${nothing}`],
  'notifications.setting': [200, '/api/user/setting'],
  'notifications.changeSetting': [400, '/api/user/setting', { notify_type: 'none' }],
  'notifications.test': [200, '/api/user/setting/test'],
  'notifications.notices': [200, '/api/user/notices'],
  'notifications.outbox': [200, '/api/outbox/'],
  'notifications.retry': [404, `/api/outbox/${nothing}/retry`],
  'oauth.providers': [200, '/api/oauth/providers'],
  'oauth.state': [400, '/api/oauth/state', { provider: 'none', intent: 'bind' }],
  'oauth.stateByGet': [405, '/api/oauth/state'],
  'oauth.finish': [400, '/api/oauth/none'],
  'oauth.finishByPost': [400, '/api/oauth/none', {}],
  'oauth.bindings': [200, '/api/user/oauth/bindings'],
  'oauth.unbind': [403, '/api/user/oauth/bindings/none'],
  'openapi.read': [200, '/api/openapi.json'],
  'options.list': [200, '/api/option/'],
  'options.describe': [200, '/api/option/describe'],
  'options.update': [400, '/api/option/', { key: 'none', value: 'none' }],
  'options.resetRatios': [200, '/api/option/rest_model_ratio'],
  'pages.notice': [200, '/api/notice'],
  'pages.about': [200, '/api/about'],
  'pages.home': [200, '/api/home_page_content'],
  'pages.userAgreement': [200, '/api/user-agreement'],
  'pages.privacyPolicy': [200, '/api/privacy-policy'],
  'pages.uptime': [200, '/api/uptime/status'],
  'passkeys.list': [200, '/api/user/passkey'],
  'passkeys.registerBegin': [403, '/api/user/passkey/register/begin', {}],
  'passkeys.registerFinish': [403, '/api/user/passkey/register/finish', madePasskey],
  'passkeys.loginBegin': [200, '/api/user/passkey/login/begin', {}],
  'passkeys.loginFinish': [401, '/api/user/passkey/login/finish', usedPasskey],
  'passkeys.verifyBegin': [404, '/api/user/passkey/verify/begin', { scope: 'balance' }],
  'passkeys.verifyFinish': [403, '/api/user/passkey/verify/finish', usedPasskey],
  'passkeys.rename': [404, `/api/user/passkey/${nothing}`, { name: 'none' }],
  'passkeys.removeAll': [403, '/api/user/passkey'],
  'passkeys.remove': [404, `/api/user/passkey/${nothing}`],
  'receipts.print': [404, `/api/user/topup/${'0'.repeat(32)}/receipt`],
  'receipts.list': [200, '/api/user/topup/receipts'],
  'receipts.billing': [200, '/api/user/billing'],
  'receipts.setBilling': [400, '/api/user/billing', { name: 'none' }],
  'redemption.redeem': [400, '/api/user/topup', { key: 'none' }],
  'redemption.list': [200, '/api/redemption'],
  'redemption.search': [200, '/api/redemption/search'],
  'redemption.read': [404, '/api/redemption/999999'],
  'users.moveMany': [
    403,
    '/api/user/batch/balance',
    { ids: [nothing], mode: 'add', value: 1, remark: 'none' },
  ],
  'redemption.create': [403, '/api/redemption', { name: 'n', quota: 1 }],
  'redemption.update': [404, '/api/redemption', { id: 999999 }],
  'redemption.removeInvalid': [200, '/api/redemption/invalid'],
  'redemption.remove': [404, '/api/redemption/999999'],
  'refusals.list': [404, `/api/channel/${nothing}/refusals`],
  'refusals.clear': [404, `/api/channel/${nothing}/refusals`],
  'subscriptions.plans': [200, '/api/subscription/plans'],
  'subscriptions.self': [200, '/api/subscription/self'],
  'subscriptions.setPreference': [
    200,
    '/api/subscription/self/preference',
    { billing_preference: 'subscription_first' },
  ],
  'subscriptions.quote': [400, '/api/subscription/quote', { plan_id: 999999 }],
  'subscriptions.buy': [400, '/api/subscription/balance/pay', { plan_id: 999999 }],
  'subscriptions.exchange': [
    400,
    '/api/subscription/change',
    { plan_id: 999999, replaces: 999999, currency: 'USD' },
  ],
  'subscriptions.try': [400, '/api/subscription/trial', { plan_id: 999999 }],
  'subscriptions.setRenewal': [404, '/api/subscription/self/999999/renewal', { renews: false }],
  'subscriptions.periods': [404, '/api/subscription/self/999999/periods'],
  'subscriptions.allPlans': [200, '/api/subscription/admin/plans'],
  'subscriptions.createPlan': [
    403,
    '/api/subscription/admin/plans',
    { title: 'none', price_amount: '1' },
  ],
  'subscriptions.changePlan': [
    403,
    '/api/subscription/admin/plans/999999',
    { title: 'none', price_amount: '1' },
  ],
  'subscriptions.switchPlan': [404, '/api/subscription/admin/plans/999999', { enabled: false }],
  'subscriptions.resetPlan': [403, '/api/subscription/admin/plans/999999/reset', {}],
  'subscriptions.list': [200, '/api/subscription/admin/subscriptions'],
  'subscriptions.ofUser': [200, '/api/subscription/admin/users/999999/subscriptions'],
  'subscriptions.bind': [403, '/api/subscription/admin/bind', { user_id: 1, plan_id: 999999 }],
  'subscriptions.give': [403, '/api/subscription/admin/users/1/subscriptions', { plan_id: 999999 }],
  'subscriptions.invalidate': [
    404,
    '/api/subscription/admin/user_subscriptions/999999/invalidate',
    {},
  ],
  'subscriptions.remove': [404, '/api/subscription/admin/user_subscriptions/999999'],
  'subscriptions.periodsOf': [404, '/api/subscription/admin/user_subscriptions/999999/periods'],
  'subscriptions.reset': [403, '/api/subscription/admin/user_subscriptions/999999/reset', {}],
  'payments.info': [200, '/api/user/topup/info'],
  'payments.price': [400, '/api/user/amount', { amount: 1, gateway: 'none' }],
  'payments.place': [400, '/api/user/topup/order', { amount: 1, gateway: 'none' }],
  'payments.startEpay': [400, '/api/user/pay', { amount: 1 }],
  'payments.startStripe': [400, '/api/user/stripe/pay', { amount: 1 }],
  'payments.startCreem': [400, '/api/user/creem/pay', { product_id: 'none' }],
  'payments.placePlan': [400, '/api/subscription/pay', { plan_id: 999999 }],
  'payments.startPlanEpay': [400, '/api/subscription/epay/pay', { plan_id: 999999 }],
  'payments.startPlanStripe': [400, '/api/subscription/stripe/pay', { plan_id: 999999 }],
  'payments.startPlanCreem': [400, '/api/subscription/creem/pay', { plan_id: 999999 }],
  'payments.portal': [404, '/api/subscription/self/999999/portal'],
  'payments.own': [200, '/api/user/topup/self'],
  'payments.list': [200, '/api/user/topup'],
  'payments.gateways': [200, '/api/user/topup/gateways'],
  'payments.probe': [404, '/api/user/topup/gateways/none/probe'],
  'payments.events': [200, `/api/user/topup/${'0'.repeat(32)}/events`],
  'payments.complete': [
    403,
    '/api/user/topup/complete',
    { trade_no: '0'.repeat(32), reason: 'none' },
  ],
  'payments.refund': [403, '/api/user/topup/refund', { trade_no: '0'.repeat(32), amount: '1' }],
  'payments.totals': [200, '/api/user/topup/totals'],
  'auto-topup.read': [200, '/api/user/topup/auto'],
  'auto-topup.set': [
    400,
    '/api/user/topup/auto',
    { enabled: true, below: 1, amount: 1, monthly_cap: 1 },
  ],
  'auto-topup.remove': [200, '/api/user/topup/auto'],
  'auto-topup.portal': [400, '/api/user/topup/auto/portal', { gateway: 'none' }],
  'payments.callback': [404, '/api/payment/none/callback'],
  'payments.callbackByGet': [404, '/api/payment/none/callback'],
  'payments.stripeWebhook': [404, '/api/stripe/webhook'],
  'payments.creemWebhook': [404, '/api/creem/webhook'],
  'payments.epayNotify': [404, '/api/user/epay/notify'],
  'payments.epayNotifyByGet': [404, '/api/user/epay/notify'],
  'plugins.list': [200, '/api/plugins'],
  'plugins.switch': [400, '/api/plugins/state', { id: 'provider.none', on: false }],
  'plugins.reload': [400, '/api/plugins/reload', { id: 'provider.none' }],
  'prefill-groups.list': [200, '/api/prefill_group/'],
  'prefill-groups.create': [400, '/api/prefill_group/', { name: 'n', type: 'model', items: {} }],
  'prefill-groups.update': [404, '/api/prefill_group/', { id: nothing }],
  'prefill-groups.remove': [404, `/api/prefill_group/${nothing}`],
  'prices.pricing': [200, '/api/pricing'],
  'prices.catalogue': [200, '/api/catalogue/'],
  'prices.speed': [200, '/api/catalogue/speed'],
  'prices.model': [404, '/api/catalogue/model?name=none'],
  'prices.ratioConfig': [403, '/api/ratio_config'],
  'prices.list': [200, '/api/prices/'],
  'prices.missing': [200, '/api/prices/missing'],
  'prices.units': [200, '/api/prices/units?model=none'],
  'prices.example': [400, '/api/prices/example', { model: 'm', card: {} }],
  'prices.change': [400, '/api/prices/', { changes: {} }],
  'registration.register': [400, '/api/user/register', { username: 'two words', password }],
  'registration.sendCode': [503, '/api/verification?email=none@example.com'],
  'registration.sendReset': [503, '/api/reset_password?email=none@example.com'],
  'registration.reset': [400, '/api/user/reset', { email: 'none@example.com', token: 'none' }],
  'registration.bindEmail': [
    403,
    '/api/user/email',
    { email: 'none@example.com', verification_code: '000000' },
  ],
  'registration.bindEmailAlias': [
    403,
    '/api/oauth/email/bind',
    { email: 'none@example.com', code: '000000' },
  ],
  'session.login': [401, '/api/user/login', { username: 'mallory', password: 'guess' }],
  'session.secondStep': [401, '/api/user/login/2fa', { code: '000000' }],
  'session.list': [200, '/api/user/sessions'],
  'session.end': [404, '/api/user/sessions/none'],
  'session.endOthers': [200, '/api/user/sessions/revoke-others'],
  'setup.read': [200, '/api/setup'],
  'setup.complete': [
    409,
    '/api/setup',
    { username: 'mallory', password, confirmPassword: password },
  ],
  'status.read': [200, '/api/status'],
  'status.test': [200, '/api/status/test'],
  'status.version': [200, '/api/status/version'],
  'system-info.list': [200, '/api/system-info/instances'],
  'system-info.removeStale': [200, '/api/system-info/stale-instances'],
  'system-info.remove': [404, '/api/system-info/instances/none'],
  'tasks.list': [200, '/api/task/'],
  'tasks.own': [200, '/api/task/self'],
  'tasks.read': [404, '/api/task/task_none'],
  'tasks.readOwn': [404, '/api/task/self/task_none'],
  'tasks.poll': [404, '/api/task/task_none/poll'],
  'tasks.cancel': [404, '/api/task/task_none/cancel'],
  'tasks.cancelOwn': [404, '/api/task/self/task_none/cancel'],
  'tasks.removeOwn': [404, '/api/task/self/task_none'],
  'tasks.pictures': [200, '/api/mj/'],
  'tasks.picturesOwn': [200, '/api/mj/self'],
  'tasks.callback': [404, '/api/tasks/callback/task_none/none'],
  'tasks.callbackByGet': [404, '/api/tasks/callback/task_none/none'],
  'tokens.list': [200, '/api/token/'],
  'tokens.search': [200, '/api/token/search?keyword=none'],
  'tokens.read': [404, `/api/token/${nothing}`],
  'tokens.listOthers': [200, '/api/token/all'],
  'tokens.switchOther': [404, `/api/token/all/${nothing}`, { status: 2 }],
  'tokens.create': [400, '/api/token/', { name: 'none', expired_time: 0 }],
  'tokens.update': [404, '/api/token/', { id: nothing }],
  'tokens.replace': [404, `/api/token/${nothing}/replace`],
  'tokens.remove': [404, `/api/token/${nothing}`],
  'tokens.usage': [404, `/api/token/${nothing}/usage`],
  'tokens.reveal': [404, `/api/token/${nothing}/key`],
  'tokens.removeAll': [200, '/api/token/batch', { ids: [nothing] }],
  'tokens.revealAll': [200, '/api/token/batch/keys', { ids: [nothing] }],
  'two-factor.status': [200, '/api/user/2fa/status'],
  'two-factor.setUp': [403, '/api/user/2fa/setup', {}],
  'two-factor.enable': [409, '/api/user/2fa/enable', { code: '000000' }],
  'two-factor.disable': [403, '/api/user/2fa/disable', { code: '000000' }],
  'two-factor.renewCodes': [403, '/api/user/2fa/backup_codes', { code: '000000' }],
  'users.changeMany': [200, '/api/user/batch/edit', { ids: [nothing], changes: { status: 1 } }],
  'users.removeMany': [200, '/api/user/batch/delete', { ids: [nothing] }],
  'users.list': [200, '/api/user/'],
  'users.search': [200, '/api/user/search?keyword=none'],
  'users.read': [404, `/api/user/${nothing}`],
  'users.create': [400, '/api/user/', { username: 'none', password, group: 'no such group' }],
  'users.update': [404, '/api/user/', { id: nothing }],
  'users.manage': [404, '/api/user/manage', { id: nothing, action: 'enable' }],
  'users.remove': [404, `/api/user/${nothing}`],
  'users.factorStats': [200, '/api/user/2fa/stats'],
  'users.removePasskeys': [404, `/api/user/${nothing}/reset_passkey`],
  'users.removeTwoFactor': [404, `/api/user/${nothing}/2fa`],
  'users.accessTokens': [404, `/api/user/${nothing}/access_tokens`],
  'users.removeAccessToken': [404, `/api/user/${nothing}/access_tokens/1`],
  'users.endSessions': [404, `/api/user/${nothing}/sessions`],
  'users.unbind': [404, `/api/user/${nothing}/bindings/email`],
  'vendors.list': [200, '/api/vendors/'],
  'vendors.search': [200, '/api/vendors/search?keyword=none'],
  'vendors.read': [404, `/api/vendors/${nothing}`],
  'vendors.create': [400, '/api/vendors/', { name: '' }],
  'vendors.update': [404, '/api/vendors/', { id: nothing }],
  'vendors.remove': [404, `/api/vendors/${nothing}`],
  'verify.verify': [400, '/api/verify', { scope: 'balance', method: '2fa', code: '000000' }],
  'verify.methods': [200, '/api/verify/methods'],
  'verify.status': [200, '/api/verify/status'],
}

/** Ends the very session or access token it is queried with. */
const endsSessions = ['account.endAccessToken', 'session.logout', 'session.logoutByPost']

const callerNumbers = new Map(callers.map(({ name }, at) => [name, (at + 1).toString(16)]))

/** Asks for somebody before a browser: a script's token, which lies in a file, does not do (AUTH-4). */
const needsSession: ReadonlySet<string> = new Set([
  'access-tokens.create',
  'account.newAccessToken',
  'account.passwordLogin',
  'account.remove',
  'channel-keys.reveal',
  'oauth.unbind',
  'passkeys.registerBegin',
  'passkeys.registerFinish',
  'passkeys.remove',
  'passkeys.removeAll',
  'passkeys.verifyBegin',
  'passkeys.verifyFinish',
  'registration.bindEmail',
  'registration.bindEmailAlias',
  'session.end',
  'session.endOthers',
  'tokens.reveal',
  'tokens.revealAll',
  'two-factor.disable',
  'two-factor.enable',
  'two-factor.renewCodes',
  'two-factor.setUp',
  'verify.methods',
  'verify.status',
  'verify.verify',
])

const ranks: Readonly<Record<string, number>> = { none: 0, user: 1, admin: 10, root: 100 }

const rankOf = ({ declared }: LoadedRoute) => ranks[declared.credential] ?? Number.NaN

function ask(route: LoadedRoute, { name, client }: Caller) {
  const { method } = route.declared
  const headers: Sent = { 'x-forwarded-for': `2001:db8:${callerNumbers.get(name)}::1` }
  // A POST from nowhere must look like nothing a foreign page can send, even where the path takes no body.
  const [, address, body = method === 'POST' ? {} : undefined] = request[nameOf(route)]!
  return client.call(method, address, body, headers)
}

const notSignedIn = {
  status: 401,
  success: false,
  message: 'Sign in first.',
  code: 'unauthorized',
  data: null,
}
const notEntitled = {
  status: 403,
  success: false,
  message: 'This needs more rights than you have.',
  code: 'forbidden',
  data: null,
}

const routes = managed.filter((route) => nameOf(route) in request)

t.test('the table names every route there is, and none besides', async (t) => {
  const named = [...Object.keys(request), ...endsSessions].sort()
  t.strictSame(named, managed.map(nameOf).sort())
})

t.test(
  '[AUTH-2] whoever may not call a route is informed of it and nothing else, and nothing happens',
  async (t) => {
    const before = await stillDatabase(knex)
    const wrong: string[] = []
    for (const caller of callers) {
      for (const route of routes.filter((one) => rankOf(one) > caller.role)) {
        const { status, body } = await ask(route, caller)
        const result = { status, ...body }
        if (isDeepStrictEqual(result, caller.role === 0 ? notSignedIn : notEntitled)) continue
        wrong.push(`${nameOf(route)} returned to ${caller.name}: ${JSON.stringify(result)}`)
      }
    }
    t.strictSame(wrong, [])
    t.strictSame(await stillDatabase(knex), before)
  },
)

t.test(
  '[AUTH-4] whoever may call is not kept from it, but scripts from what needs a person',
  async (t) => {
    const wrong: string[] = []
    for (const caller of callers) {
      for (const route of routes.filter((one) => rankOf(one) <= caller.role)) {
        const { status, body } = await ask(route, caller)
        if (caller.isScript && needsSession.has(nameOf(route))) {
          if (status === 403 && body.code === 'session_required') continue
        } else if (status === request[nameOf(route)]![0]) continue
        wrong.push(`${nameOf(route)} returned to ${caller.name}: ${status} ${JSON.stringify(body)}`)
      }
    }
    t.strictSame(wrong, [])
  },
)

/** An access token of root's with these scopes alone. */
async function scopedScript(name: string, scopes: readonly string[]): Promise<Caller> {
  const proof = await root.prove('access_token', rootPerson.password)
  const form = { name, scopes }
  const { token } = await root.must('POST', '/api/user/access_tokens', form, proof)
  return scriptOf(name, 100, token)
}

t.test('[AUTH-2] every route for somebody names the scope an access token needs', async (t) => {
  const personal = managed.filter((route) => rankOf(route) > 0)
  t.strictSame(personal.filter(({ declared }) => declared.scope === undefined).map(nameOf), [])
  t.strictSame(
    managed
      .filter((route) => rankOf(route) === 0 && route.declared.scope !== undefined)
      .map(nameOf),
    [],
    'what asks nobody who they are asks for no scope',
  )
})

t.test(
  '[AUTH-2] a token of one scope calls what that opens, and is refused the rest by the name of what is missing',
  async (t) => {
    const wrong: string[] = []
    const personal = routes.filter((route) => rankOf(route) > 0)
    for (const scope of tokenScopes) {
      const caller = await scopedScript(`only ${scope}`, [scope])
      for (const route of personal) {
        const required = requiredScope(route.declared)
        const { status, body } = await ask(route, {
          ...caller,
          name: 'the access token of root, as Bearer',
        })
        const isRefused = status === 403 && body.code === 'scope_missing'
        const opens = expected(scope, required)
        // The handler has the last word on these.
        const itself =
          required === 'any' && isRefused && scope !== 'all' && scope !== 'account:write'
        if (itself || (opens && !isRefused)) continue
        if (!opens && isRefused && body.message.includes(`"${required}"`)) continue
        wrong.push(`${nameOf(route)} returned to ${scope}: ${status} ${JSON.stringify(body)}`)
      }
      await root.must('DELETE', `/api/user/access_tokens/${await idOf(caller)}`)
    }
    t.strictSame(wrong, [])
  },
)

async function idOf({ name }: Caller): Promise<number> {
  const held: readonly { readonly id: number; readonly name: string }[] = await root.must(
    'GET',
    '/api/user/access_tokens',
  )
  return held.find((one) => name.endsWith(one.name))?.id ?? 0
}

t.test('[AUTH-2] no access token spends in the Playground, whatever its scopes', async (t) => {
  const body = { model: 'none', messages: [{ role: 'user', content: 'hello' }] }
  for (const word of ['', 'Bearer ']) {
    const result = await script(ofRoot, word).call('POST', '/pg/chat/completions', body)
    t.equal(result.status, 401)
  }
})

t.test('[AUTH-2] a token ends itself, and others with the scope for it', async (t) => {
  const narrow = await scopedScript('narrow', ['logs:read'])
  const wide = await scopedScript('wide', ['account:write'])
  const [narrowId, wideId] = [await idOf(narrow), await idOf(wide)]
  const end = ({ client }: Caller, id: number) =>
    client.call('DELETE', `/api/user/access_tokens/${id}`)
  t.match(await end(narrow, wideId), { status: 403, body: { code: 'scope_missing' } })
  t.equal((await end(narrow, narrowId)).status, 200)
  t.equal((await end(narrow, narrowId)).status, 401)
  const again = await idOf(await scopedScript('again', ['logs:read']))
  t.equal((await end(wide, again)).status, 200)
  const own = await scopedScript('leaked', ['logs:read'])
  t.equal((await own.client.call('DELETE', '/api/user/token')).status, 200)
  t.equal((await own.client.call('GET', '/api/log/')).status, 401)
  const proof = await root.prove('access_token', rootPerson.password)
  const made = await script(ofRoot).call(
    'POST',
    '/api/user/access_tokens',
    { name: 'child', scopes: ['all'] },
    proof,
  )
  t.match(made, { status: 403, body: { code: 'session_required' } }, 'a token makes no token')
})

t.test("[AUTH-2] admins see and end tokens of lower ranks, root everybody's", async (t) => {
  const tokensOf = async (client: Pick<Management, 'call'>, id: number) =>
    client.call('GET', `/api/user/${id}/access_tokens`)
  const held = await tokensOf(boss, ada.id)
  t.match(held.body.data, [{ name: 'default', scopes: ['all'], expired: false }])
  t.notMatch(JSON.stringify(held.body), ada.accessToken)
  const peer = await person('equal', 10)
  for (const id of [peer.id, boss.id, 1]) {
    t.equal((await tokensOf(boss, id)).status, 403)
    t.equal((await boss.call('DELETE', `/api/user/${id}/access_tokens/1`)).status, 403)
  }
  const [first] = (await tokensOf(root, peer.id)).body.data
  const elsewhere = await root.call('DELETE', `/api/user/${ada.id}/access_tokens/${first.id}`)
  t.equal(elsewhere.status, 404, 'a token is ended under its owner only')
  t.equal((await root.call('DELETE', `/api/user/${peer.id}/access_tokens/${first.id}`)).status, 200)
  t.equal((await script(peer.accessToken).call('GET', '/api/user/self')).status, 401)
  const lines = await knex('audit_log').where('action', 'users.removeAccessToken')
  t.match(lines, [{ object: `user ${peer.id}`, detail: `access token ${first.id} "default"` }])
})

t.test('[AUTH-2] a scope opens no more than the role of the owner has', async (t) => {
  const proof = await bob.prove('access_token', password)
  const form = { name: 'grasping', scopes: ['users:write'] }
  const refused = await bob.call('POST', '/api/user/access_tokens', form, proof)
  t.match(refused, { status: 400, body: { code: 'invalid_field', field: 'scopes' } })
  const scopes: readonly { readonly scope: string }[] = await bob.must(
    'GET',
    '/api/user/access_token_scopes',
  )
  t.notOk(scopes.some(({ scope }) => /^(users|options|channels):/.test(scope)))
  const wide = await root.must('GET', '/api/user/access_token_scopes')
  t.strictSame(
    wide.map(({ scope }: { scope: string }) => scope),
    tokenScopes,
  )
})

/** Taken from the words of the rule, apart from the code that holds it. */
function expected(scope: string, required = 'all'): boolean {
  const [area, verb] = required.split(':')
  if (scope === 'all' || required === 'any' || scope === required) return true
  return verb === 'read' && (scope === 'read' || scope === `${area}:write`)
}

t.test('the answer to HEAD is refused as that to GET is, and has no body', async (t) => {
  const gets = routes.filter((route) => route.declared.method === 'GET' && rankOf(route) > 0)
  const statuses = await Promise.all(
    gets.map(async (route) => {
      const answer = await fetch(`${url}${request[nameOf(route)]![1]}`, { method: 'HEAD' })
      return `${answer.status} ${await answer.text()}`
    }),
  )
  t.strictSame([...new Set(statuses)], ['401 '])
})

t.test("signing out without a session is no fault, and ends nobody else's", async (t) => {
  for (const method of ['GET', 'POST']) {
    t.equal((await management(url).call(method, '/api/user/logout', undefined)).status, 200, method)
  }
  t.equal((await ada.call('GET', '/api/user/self')).status, 200)
})

t.test('an API key opens no management path', async (t) => {
  const { key } = await root.token()
  const answer = await fetch(`${url}/api/option/`, { headers: { authorization: `Bearer ${key}` } })
  t.equal(answer.status, 401)
})

t.test("somebody else's API key is not there: for users, admins and root alike", async (t) => {
  const { id, key } = await ada.token({ name: 'of ada' })
  const mine = await ada.must('GET', `/api/token/${id}`)
  for (const [name, other] of Object.entries({ bob, boss, root })) {
    const result = {
      read: await other.call('GET', `/api/token/${id}`),
      update: await other.call('PUT', '/api/token/', { id, name: 'taken over' }),
      off: await other.call('PUT', '/api/token/?status_only=true', { id, status: 2 }),
      reveal: await other.call('POST', `/api/token/${id}/key`, {}),
      remove: await other.call('DELETE', `/api/token/${id}`),
    }
    for (const [verb, { status, body }] of Object.entries(result)) {
      t.equal(status, 404, `${name} may not ${verb}`)
      t.equal(body.data, null, `${name} learns nothing by ${verb}`)
    }
    const keys = await other.call('POST', '/api/token/batch/keys', { ids: [id] })
    t.notMatch(JSON.stringify(keys.body), key.slice(3), `${name} reveals none of many`)
    await other.call('POST', '/api/token/batch', { ids: [id] })
    for (const query of [`keyword=of+ada`, `token=${key}`, `token=${key.slice(-4)}`]) {
      const { items } = await other.must('GET', `/api/token/search?${query}`)
      t.strictSame(items, [], `${name} finds nothing by ${query.split('=')[0]}`)
    }
  }
  t.strictSame(await ada.must('GET', `/api/token/${id}`), mine, 'it is as it was')
})

t.test('logs and sums of others stay out of reach, whatever is requested', async (t) => {
  await root.credit(bob.id, 777_777)
  await gateway.idle()
  const named = 'username=bob&user_id=3&channel=1'
  const paths = ['/api/log/self', '/api/log/self/search', '/api/log/self/stat', '/api/data/self']
  for (const path of paths) {
    for (const query of [named, `${named}&keyword=bob`, 'username[]=bob', 'userId=1']) {
      const { status, body } = await ada.call('GET', `${path}?${query}`)
      t.notMatch(JSON.stringify(body), /777777|"bob"/, `${path}?${query} ${status}`)
    }
  }
  t.match(JSON.stringify(await root.must('GET', '/api/log/?username=bob')), /777777/)
})

t.test('admins reach nobody of their own rank or above, and make no money', async (t) => {
  const peer = await person('peer', 10)
  for (const [name, id] of [
    ['root', 1],
    ['a peer', peer.id],
    ['themselves', boss.id],
  ] as const) {
    const result = {
      update: await boss.call('PUT', '/api/user/', { id, password: 'taken over, you see' }),
      disable: await boss.call('POST', '/api/user/manage', { id, action: 'disable' }),
      promote: await boss.call('POST', '/api/user/manage', { id, action: 'promote' }),
      demote: await boss.call('POST', '/api/user/manage', { id, action: 'demote' }),
      remove: await boss.call('DELETE', `/api/user/${id}`),
    }
    for (const [verb, { status }] of Object.entries(result)) t.equal(status, 403, `${verb} ${name}`)
  }
  const raises = await boss.call('POST', '/api/user/manage', { id: ada.id, action: 'promote' })
  t.equal(raises.status, 403)
  const money = { id: ada.id, action: 'add_quota', mode: 'add', value: 5, remark: 'r' }
  t.equal((await boss.call('POST', '/api/user/manage', money)).status, 403)
  const admin = { username: 'made', password, role: 10 }
  t.equal((await boss.call('POST', '/api/user/', admin)).status, 403)
})

t.test("fields that are nobody's to write are left alone", async (t) => {
  const { id } = await ada.token({ name: 'plain', user_id: 1, used_quota: -5, key: 'sk-chosen' })
  const extra = { user_id: 1, used_quota: -5, key: 'sk-chosen', deleted_at: null }
  await ada.must('PUT', '/api/token/', { id, name: 'plain', ...extra })
  t.match(await ada.must('GET', `/api/token/${id}`), { user_id: ada.id, used_quota: 0 })
  const raised = await boss.call('PUT', '/api/user/', { id: ada.id, role: 100 })
  t.equal(raised.status, 403)
  await boss.must('PUT', '/api/user/', {
    id: ada.id,
    quota: 1e9,
    status: 2,
    remark: 'x',
  })
  t.match(await boss.must('GET', `/api/user/${ada.id}`), { role: 1, quota: 0, status: 1 })
})

/** As a browser asks from another site, with the session of its user. */
const foreign: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'https://sub.evil.example' },
  // A link that is followed: no origin, and the session all the same.
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
]

t.test(
  "another site can use nobody's session: not to change anything, nor as an admin",
  async (t) => {
    const signIn = await fetch(`${url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'root', password }),
    })
    const cookie = signIn.headers.getSetCookie()[0]!.split(';')[0]!
    const before = await stillDatabase(knex)
    const wrong: string[] = []
    const harmful = routes.filter(
      (route) => rankOf(route) > 1 || (rankOf(route) === 1 && route.declared.method !== 'GET'),
    )
    for (const route of harmful) {
      const [, address, body] = request[nameOf(route)]!
      for (const content of foreign) {
        const answer = await fetch(`${url}${address}`, {
          method: route.declared.method,
          headers: { ...content, cookie, 'content-type': 'application/json' },
          body: route.declared.method === 'GET' ? undefined : JSON.stringify(body ?? {}),
        })
        const { code } = (await answer.json()) as { code?: string }
        if (answer.status === 403 && code === 'cross_site_request') continue
        wrong.push(`${nameOf(route)} ${JSON.stringify(content)}: ${answer.status} ${code}`)
      }
    }
    t.strictSame(wrong, [])
    t.strictSame(await stillDatabase(knex), before)
    const own = { cookie, origin: url, 'sec-fetch-site': 'same-origin' }
    t.equal((await fetch(`${url}/api/channel/`, { headers: own })).status, 200)
  },
)

t.test('another site can sign nobody in, nor set anything up', async (t) => {
  for (const name of [
    'oauth.finishByPost',
    'oauth.state',
    'passkeys.loginBegin',
    'passkeys.loginFinish',
    'registration.register',
    'registration.reset',
    'session.login',
    'session.secondStep',
    'setup.complete',
  ]) {
    const [, address, body] = request[name]!
    const headers = { origin: 'https://evil.example', 'content-type': 'application/json' }
    const answer = await fetch(`${url}${address}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    t.equal(answer.status, 403, name)
  }
})

const crossing = 'access-control-allow-origin'

t.test(
  'any page may call the relay paths with a key, the old billing paths included',
  async (t) => {
    const { key } = await root.token()
    for (const path of [
      '/v1/models',
      '/dashboard/billing/subscription',
      '/dashboard/billing/usage',
    ]) {
      const preflight = await fetch(`${url}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      })
      t.equal(preflight.status, 204, path)
      t.equal(preflight.headers.get(crossing), '*', path)
      t.equal(preflight.headers.get('access-control-allow-headers'), 'authorization', path)
      t.equal(preflight.headers.get('access-control-allow-credentials'), null, path)
      for (const [text, status] of [
        [`Bearer ${key}`, 200],
        ['Bearer sk-none', 401],
      ] as const) {
        const headers = { authorization: text, origin: 'https://app.example' }
        const answer = await fetch(`${url}${path}`, { headers })
        t.equal(answer.status, status, path)
        t.equal(answer.headers.get(crossing), '*', path)
      }
    }
  },
)

t.test('no page of another origin may read a management path', async (t) => {
  const readable: string[] = []
  for (const route of routes) {
    const [, address] = request[nameOf(route)]!
    for (const method of ['GET', 'OPTIONS']) {
      const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
      const answer = await fetch(`${url}${address}`, { method, headers })
      if (answer.headers.has(crossing)) readable.push(`${method} ${address}`)
    }
  }
  t.strictSame(readable, [])
  const beside = await fetch(`${url}/dashboard/billings`, {
    headers: { origin: 'https://a.example' },
  })
  t.equal(beside.headers.has(crossing), false)
})
