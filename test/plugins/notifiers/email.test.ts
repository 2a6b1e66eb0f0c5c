/** Mails, at real mail servers. */
import { connect } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Notice } from '../../../kernel/contract/notifier.js'
import createEmail from '../../../plugins/notifiers/email/index.js'
import { post } from '../../../plugins/notifiers/email/post.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { decoded, mailServer, selfSigned } from '../../kit/smtp.js'
import { settingsOf } from '../management/management-fixture.js'

const certificate = selfSigned()
const trusting: ConnectionOptions = { ca: certificate.cert }

const notice: Notice = {
  id: 'a-notice',
  type: 'quota_exceed',
  title: 'Low',
  content: 'Left: {{value}}\nof {{value}}\n\n<b>See</b> https://a.example/?x=1&y=2',
  values: ['900', '1000'],
  timestamp: 1_767_225_600,
}

interface Over extends JsonObject {
  readonly port: number
}

function kitFor(values: Over, remoteAddress?: string) {
  const clock = new FakeClock()
  const dialled: string[] = []
  const kit = {
    settings: settingsOf({
      ...{ server: 'localhost', ssl: false, starttls: 'auto', account: '', token: '' },
      ...{ from: 'Gateway <gateway@example.com>', ...values },
    }),
    clock,
    log: quietLog,
    fetch: async () => new Response(),
    dial: (host: string, port: number) => {
      dialled.push(`${host}:${port}`)
      return new Promise<ReturnType<typeof connect>>((resolve, reject) => {
        const socket = connect(values.port, '127.0.0.1', () => resolve(socket))
        socket.once('error', reject)
        if (remoteAddress !== undefined) {
          Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
        }
      })
    },
  }
  return { kit, clock, dialled }
}

const to = 'ada@example.com'
const signedIn = { account: 'gateway', token: 'right' }

t.test(
  '[API-9] a mail is plain text and simple HTML, and goes out by way of the kit',
  async (t) => {
    const server = await mailServer(t)
    const { kit, dialled, clock } = kitFor({ port: server.port })
    const outcome = await createEmail(kit).deliver(notice, { notification_email: to })
    t.same(outcome, { kind: 'delivered' })
    t.same(dialled, [`localhost:${server.port}`])
    t.equal(clock.pending, 0)
    const [mail] = server.mails
    t.match(mail, { from: 'gateway@example.com', to: [to], secure: false })
    const text = decoded(mail?.text ?? '')
    t.match(text, /^From: Gateway <gateway@example\.com>/m)
    t.match(text, /Left: 900\r\nof 1000/)
    t.match(text, /&#60;b&#62;See/, 'nothing of a notice is markup')
    t.match(text, /<a href="https:\/\/a\.example\/\?x=1&#38;y=2">/)
  },
)

t.test('nothing in a notice adds a header or a reader', async (t) => {
  const server = await mailServer(t)
  const { kit } = kitFor({ port: server.port, from: 'Gate\r\nX-Evil: 1 <gateway@example.com>' })
  const title = 'Low\r\nBcc: eve@example.com\r\n\r\nbody\u2028X: 1'
  await post({ ...notice, title, content: 'a\r\n.\r\nQUIT' }, to, kit)
  t.same(server.mails[0]?.to, [to])
  const [head = ''] = (server.mails[0]?.text ?? '').split('\r\n\r\n', 1)
  t.notMatch(head, /^(bcc|x-evil|x):/im)
  const email = createEmail(kit)
  for (const address of [
    'a@b.example,c@d.example',
    'a@b.example\nBcc: x',
    '"a b"@c.example',
    'a@',
  ]) {
    t.match(email.faultOf?.({ notification_email: address }), /^notification_email /)
  }
})

t.test('STARTTLS is used where it is offered, and certificates are checked', async (t) => {
  const server = await mailServer(t, { ...certificate, disabledCommands: [] })
  const { kit } = kitFor({ port: server.port, ...signedIn })
  t.match(await post(notice, to, kit), { kind: 'later', reason: /encrypted/ })
  t.equal(server.mails.length + server.shown.length, 0)
  t.same(await post(notice, to, kit, trusting), { kind: 'delivered' })
  t.match(server.mails, [{ secure: true, user: 'gateway' }])
})

t.test('TLS from the first byte', async (t) => {
  const server = await mailServer(t, { ...certificate, secure: true })
  const { kit } = kitFor({ port: server.port, ssl: true, ...signedIn })
  t.match(await post(notice, to, kit), { kind: 'later' })
  t.same(await post(notice, to, kit, trusting), { kind: 'delivered' })
  t.match(server.mails, [{ secure: true, user: 'gateway' }])
})

t.test('credentials never cross a public network in the clear', async (t) => {
  const server = await mailServer(t, { allowInsecureAuth: true })
  for (const starttls of ['auto', 'never', 'required']) {
    for (const address of ['93.184.215.14', '::ffff:93.184.215.14', '2606:2800::1']) {
      const { kit } = kitFor({ port: server.port, starttls, ...signedIn }, address)
      t.match(await post(notice, to, kit), { kind: 'later', reason: /encrypted/ })
    }
  }
  t.same(server.shown, [])
  const near = kitFor({ port: server.port, ...signedIn })
  t.same(await post(notice, to, near.kit), { kind: 'delivered' })
  t.same(server.shown, [{ user: 'gateway', secure: false }])
  const required = kitFor({ port: server.port, starttls: 'required' })
  t.match(await post(notice, to, required.kit), { kind: 'later', reason: /encrypted/ })
})

t.test('credentials that are not taken are stated without a word of the server', async (t) => {
  const server = await mailServer(t, { allowInsecureAuth: true })
  const { kit } = kitFor({ port: server.port, account: 'gateway', token: 'canary-wrong' })
  const outcome = await post(notice, to, kit)
  t.match(outcome, { kind: 'later', reason: /credentials of the gateway/ })
  t.notMatch(JSON.stringify(outcome), /canary|Bad words/)
})

t.test('4xx is tried again, 5xx is final', async (t) => {
  for (const [responseCode, kind] of [
    [450, 'later'],
    [421, 'later'],
    [550, 'refused'],
    [552, 'refused'],
  ] as const) {
    const fault = Object.assign(new Error('5.1.1 canary'), { responseCode })
    const atRecipient = await mailServer(t, { onRcptTo: (_a, _s, done) => done(fault) })
    const atData = await mailServer(t, {
      onData(stream, _session, done) {
        stream.resume()
        stream.on('end', () => done(fault))
      },
    })
    for (const { port } of [atRecipient, atData]) {
      const outcome = await post(notice, to, kitFor({ port }).kit)
      t.match(outcome, { kind, reason: new RegExp(String(responseCode)) })
      t.notMatch(JSON.stringify(outcome), /canary/)
    }
  }
})

t.test('[API-9] a mail server that hangs has 30 seconds, wherever it hangs', async (t) => {
  const hang = new Promise<never>(() => {})
  const never = kitFor({ port: 1 })
  const dialling = post(notice, to, { ...never.kit, dial: () => hang })
  never.clock.advance(29_999)
  t.equal(never.clock.pending, 1)
  never.clock.advance(1)
  t.match(await dialling, { kind: 'later', reason: /30 seconds/ })

  let reached = () => {}
  const atData = new Promise<void>((resolve) => {
    reached = resolve
  })
  const server = await mailServer(t, { onRcptTo: () => reached() })
  const { kit, clock } = kitFor({ port: server.port })
  const posting = post(notice, to, kit)
  await atData
  clock.advance(30_000)
  t.match(await posting, { kind: 'later', reason: /30 seconds/ })
  t.equal(clock.pending, 0)
})

t.test('without a server or a sender there is no mail', async (t) => {
  for (const [values, ready] of [
    [{ server: '' }, false],
    [{ from: '' }, false],
    [{ from: '', account: 'gateway@example.com' }, true],
    [{}, true],
  ] as const) {
    const { kit } = kitFor({ port: 1, ...values })
    t.equal(createEmail(kit).ready?.(), ready)
    if (!ready) t.match(await post(notice, to, kit), { kind: 'refused' })
  }
})
