/** Users' settings and the outbox over HTTP, with the real notifiers. */
import t from 'tap'
import { startGateway } from '../../kit/gateway.js'
import { mailServer } from '../../kit/smtp.js'

t.test('[AUTH-10] settings of notices: secrets in, never out', async (t) => {
  const { admin, gateway } = await startGateway(t, { funds: 0 })
  const first = await admin.must('GET', '/api/user/setting')
  t.match(first, { notify_type: 'email', quota_warning_threshold: 500_000, gotify_priority: 5 })
  t.same(
    first.fields.map(({ name }: { readonly name: string }) => name),
    ['bark', 'email', 'gotify', 'webhook'],
  )
  await admin.must('PUT', '/api/user/setting', {
    ...{ notify_type: 'webhook', quota_warning_threshold: 500_000 },
    ...{ webhook_url: 'https://hooks.example.com/canary', webhook_secret: 'canary-secret' },
    ...{
      bark_url: 'https://api.day.app/canary-device/',
      gotify_url: '',
      gotify_token: '',
      gotify_priority: 3,
    },
    ...{ notification_email: '', accept_unset_model_ratio_model: true, record_ip_log: false },
  })
  await admin.must('PUT', '/api/user/setting', { quota_warning_threshold: 7 })
  const setting = await admin.must('GET', '/api/user/setting')
  t.match(setting, {
    ...{ notify_type: 'webhook', quota_warning_threshold: 7, gotify_priority: 3 },
    ...{ webhook_url: '', bark_url: '', webhook_secret: '', gotify_token: '' },
    stored_secrets: ['bark_url', 'webhook_secret', 'webhook_url'],
  })
  const shown = await Promise.all(
    ['/api/user/self', '/api/user/1', '/api/user/?p=1', '/api/audit/?p=1', '/api/log/?p=1'].map(
      (path) => admin.call('GET', path),
    ),
  )
  t.ok(shown.every(({ status }) => status === 200))
  t.notMatch(JSON.stringify([setting, shown.map(({ body }) => body)]), /canary/)
  const { knex } = gateway.service('database')
  t.notMatch(
    JSON.stringify(await knex('users').select('setting', 'secrets')),
    /canary/,
    'nor is it stored in clear',
  )
  await admin.must('PUT', '/api/user/setting', { bark_url: null })
  const { stored_secrets } = await admin.must('GET', '/api/user/setting')
  t.same(stored_secrets, ['webhook_secret', 'webhook_url'])
})

t.test('what cannot be used is refused by its field', async (t) => {
  const { admin } = await startGateway(t, { funds: 0 })
  for (const [field, value] of [
    ['notify_type', 'pigeon'],
    ['quota_warning_threshold', 0],
    ['quota_warning_threshold', -1],
    ['webhook_url', 'http://127.0.0.1/'],
    ['webhook_url', 'http://0x7f000001/'],
    ['bark_url', 'http://[::ffff:169.254.169.254]/'],
    ['gotify_url', 'file:///etc/passwd'],
    ['gotify_url', 'https://push.example.com/?token=Abc'],
    ['gotify_priority', 11],
    ['gotify_priority', 1.5],
    ['notification_email', 'a@b.example, c@d.example'],
    ['webhook_secret', 'x'.repeat(513)],
    ['language', '<script>'],
    ['record_ip_log', 'yes'],
  ] as const) {
    const { status, body } = await admin.call('PUT', '/api/user/setting', { [field]: value })
    t.match([status, body.field], [400, field], `${field} ${value}: ${body.message}`)
    t.ok(body.message.includes(field))
  }
})

t.test('[API-9] a mail arrives, and the outbox tells what became of others', async (t) => {
  const { admin, gateway } = await startGateway(t, { funds: 0 })
  const notices = gateway.service('notifications')
  t.equal(notices.mailReady(), false)
  const notice = { type: 'reset', title: 'Reset', content: 'canary', values: [] }
  await t.rejects(notices.mail('ada@example.com', notice), { code: 'mail_unavailable' })
  t.match(await admin.must('POST', '/api/user/setting/test', {}), {
    delivered: false,
    reason: 'E-mail is not set up here.',
  })
  await notices.notifyRoot(notice)
  const page = async (path: string) => {
    const { items } = await admin.must('GET', path)
    // Root is also reported of what changes a way into the account.
    return items.filter(({ type }: { readonly type: string }) => type === notice.type)
  }
  const finished = async (count: number) => {
    for (;;) {
      const items = await page('/api/outbox/')
      const waiting = items.some(({ state }: { readonly state: string }) => state === 'waiting')
      if (!waiting && items.length === count) return items
    }
  }
  const [failed] = await finished(1)
  t.match(failed, { state: 'failed', reason: 'E-mail is not set up here.', user_id: 1 })
  t.equal(failed.username, 'root')
  t.equal((await page('/api/outbox/?user_id=1')).length, 1)
  t.equal((await page('/api/outbox/?user_id=0')).length, 1, 'zero is anybody')
  t.strictSame(await page('/api/outbox/?user_id=2'), [])
  t.match(await page('/api/user/notices'), [{ id: failed.id, type: 'reset' }])
  t.notMatch(JSON.stringify(await page('/api/outbox/')), /canary/)

  const server = await mailServer(t)
  await admin.option('SMTPServer', '127.0.0.1')
  await admin.option('SMTPPort', server.port)
  await admin.option('SMTPFrom', 'gateway@example.com')
  t.equal(notices.mailReady(), true)
  await notices.mail('ada@example.com', notice)
  await admin.must('PUT', '/api/user/setting', { notification_email: 'root@example.com' })
  t.match(await admin.must('POST', '/api/user/setting/test', {}), { delivered: true, reason: '' })
  await admin.must('POST', `/api/outbox/${failed.id}/retry`, {})
  await finished(2)
  t.same(server.mails.map(({ to }) => to[0]).sort(), [
    'ada@example.com',
    'root@example.com',
    'root@example.com',
  ])
  t.match(await page('/api/outbox/?state=failed'), [])
  t.equal((await admin.call('POST', `/api/outbox/${failed.id}/retry`, {})).status, 409)
})
