/** The processes and the ledger, as those who answer for a gateway see them. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import { chat, events, json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole } from './kit/browser.js'
import { phone, tooWide } from './kit/look.js'

const question = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] }
const beats = '/live/system'

t.test('root looks after the processes', { skip: noBrowser }, async (t) => {
  const { gateway, page, open, picture } = await openConsole(t)
  const { admin } = gateway
  const { knex } = gateway.gateway.service('database')
  const silent = async (node_name: string) => {
    const at = new Date(Date.now() - 600_000)
    const info = { version: 'v0.0.0', pid: 42, hostname: 'eu-2', database: 'postgresql' }
    await knex('system_instances').insert({ node_name, started_at: at, last_seen_at: at, info })
  }
  await silent('eu-west-2')
  await silent('eu-west-3')

  await t.test('[API-3] every process is there with its heartbeat, silent ones too', async (t) => {
    await open('/system')
    const own = card(page, 'test')
    await own.getByText('Online').waitFor()
    await own.getByText('PGlite').or(own.getByText('PostgreSQL')).waitFor()
    const silentOne = card(page, 'eu-west-2')
    await silentOne.getByText('Silent').waitFor()
    t.match(await silentOne.getByTestId('age').innerText(), /heartbeat 10m.* ago/)
    await picture('system-light')
    t.strictSame(await findings(page), [])
  })

  await t.test('a heartbeat is heard without a reload, and its age counts on', async (t) => {
    await page.clock.install()
    const listening = page
      .waitForEvent('websocket')
      .then((socket) =>
        socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes(beats)),
      )
    await open('/system')
    await listening
    await silent('eu-west-5')
    gateway.gateway.service('live').publish('system', { node: 'test' })
    await card(page, 'eu-west-5').waitFor()
    // From here on nothing is read again.
    await page.route('**/api/system-info/instances', () => {})
    const age = card(page, 'eu-west-5').getByTestId('age')
    t.match(await age.innerText(), /heartbeat 10m/)
    await page.clock.fastForward(180_000)
    await age.getByText(/heartbeat 13m/).waitFor()
    await page.unroute('**/api/system-info/instances')
    await page.clock.resume()
    await knex('system_instances').where({ node_name: 'eu-west-5' }).delete()
    await page.reload()
  })

  await t.test(
    '[API-3] silent ones are removed, one or all, once root has stated yes',
    async (t) => {
      await page.getByRole('button', { name: 'Delete eu-west-2' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await card(page, 'eu-west-2').waitFor({ state: 'detached' })
      await silent('eu-west-4')
      await page.reload()
      await page.getByTestId('remove-stale').click()
      await page.getByText('Remove the entries of 2 silent processes?').waitFor()
      await picture('system-ask')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByTestId('gone').getByText('2 entries were removed.').waitFor()
      const left = await admin.must('GET', '/api/system-info/instances')
      t.strictSame(
        left.map(({ node_name }: { node_name: string }) => node_name),
        ['test'],
      )
      await picture('system-removed')
    },
  )

  await t.test('old rows of the log are counted, then deleted', async (t) => {
    const upstream = await scriptedUpstream(t)
    upstream.script(json(200, chat.whole('Hello', 10, 10)))
    const channel = { type: 1, key: 'sk-up', base_url: upstream.url, models: 'gpt-4o-mini' }
    await admin.channel({ ...channel, name: 'main', group: 'default' })
    await (await gateway.chat(question)).text()
    t.equal((await gateway.logs()).length, 1)
    await open('/system')
    const trim = page.getByTestId('trim')
    await trim.getByText('No row is older.').waitFor()
    t.ok(await trim.getByRole('button', { name: 'Delete rows' }).isDisabled())

    const longAgo = new Date(Date.now() - 200 * 86_400_000)
    await knex('usage_log').where({ type: 2 }).update({ created_at: longAgo })
    await knex('billing_requests').update({ closed_at: longAgo })
    await gateway.gateway.service('usage-log').roll()
    await page.reload()
    await trim.getByText('One row is older.').waitFor()
    await trim.getByRole('button', { name: 'Delete rows' }).click()
    await page.getByRole('dialog').getByText('What is deleted cannot be brought back.').waitFor()
    await picture('system-trim')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByTestId('trimmed').getByText('One row was deleted.').waitFor()
    t.equal((await gateway.logs()).length, 0)
  })
})

t.test('the books are open to administrators', { skip: noBrowser }, async (t) => {
  const upstream = await scriptedUpstream(t)
  let go: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  const { gateway, page, context, open, picture } = await openConsole(t)
  const { admin } = gateway
  const channel = { type: 1, key: 'sk-up', base_url: upstream.url, models: 'gpt-4o-mini' }
  await admin.channel({ ...channel, name: 'main', group: 'default' })
  const person = { username: 'ada', display_name: 'Ada Lovelace', password: 'a long password here' }
  await admin.must('POST', '/api/user/', person)
  await admin.credit(2, 2_500_000)

  await t.test('a hold is there while its request is under way', async (t) => {
    await open('/ledger')
    await page.getByText('No open holds').waitFor()
    await picture('ledger-empty')
    upstream.script(
      events(
        chat.role(),
        chat.delta('Hello'),
        held,
        chat.stop(),
        chat.usage(20_000, 4_000),
        chat.done,
      ),
    )
    const answer = await gateway.chat({ ...question, stream: true, max_tokens: 4_000 })
    const holds = page.getByTestId('holds')
    await holds.getByText('gpt-4o-mini · default').waitFor()
    await holds.getByText('Under way', { exact: true }).waitFor()
    await page.getByTestId('holds').getByText('root').first().waitFor()
    const { open_holds } = await admin.must('GET', '/api/ledger')
    t.equal(open_holds, 1)
    await picture('ledger-hold')
    t.strictSame(await findings(page), [])
    go()
    await answer.text()
    await gateway.balance()
    await page.getByText('No open holds').waitFor()
  })

  await t.test('root has the books checked, and sees each rule with its result', async (t) => {
    await page.getByTestId('check').click()
    await page.getByTestId('outcome').getByText('All rules hold').waitFor()
    const { check } = await admin.must('GET', '/api/ledger')
    t.equal(check.last.breaches, 0)
    const rules = page.getByTestId('invariants').locator('li')
    t.equal(await rules.count(), check.last.invariants.length)
    await picture('ledger-light')
    t.strictSame(await findings(page), [])
  })

  await t.test('a check that failed is shown as a failure', async (t) => {
    const { knex } = gateway.gateway.service('database')
    await knex.raw("UPDATE ledger_checks SET failure = 'the disk is full', failed_at = now()")
    await page.reload()
    await page.getByTestId('check-failed').getByText('the disk is full').waitFor()
    t.strictSame(await findings(page), [])
    await page.getByTestId('check').click()
    await page.getByTestId('check-failed').waitFor({ state: 'detached' })
    await page.getByTestId('extent').getByText('whole book').waitFor()
  })

  await t.test('the entries of a request tell what became of its money', async (t) => {
    const [row] = await gateway.logs()
    const id = row!.request_id
    await page.getByRole('button', { name: `Show the entries of ${id}` }).click()
    const story = page.getByTestId('story')
    await story.getByText(/root paid \$0\.\d+ for a request/).waitFor()
    await story.getByText('In all it cost').waitFor()
    t.match(page.url(), new RegExp(`request_id=${id}`))
    await picture('ledger-request')
    t.strictSame(await findings(page), [])
    const link = story.getByRole('link')
    t.equal(await link.getAttribute('href'), `/logs?request_id=${id}`)
  })

  await t.test('the entries of a user are found by name', async (t) => {
    await page.getByTestId('user').click()
    await page.keyboard.type('ada')
    await page.locator('.n-base-select-option').getByText('ada (Ada Lovelace)').click()
    const entries = page.getByTestId('entries')
    await entries.getByText('An administrator gave ada $5.00.').waitFor()
    await entries.getByText('1 in all').waitFor()
    t.match(page.url(), /user_id=2/)
  })

  await t.test('an account that does not add up is named', async (t) => {
    const { knex } = gateway.gateway.service('database')
    await page.goto('/ledger')
    const put = (quota: string) => knex('accounts').where('owner_id', 2).update({ posted: quota })
    // More than a number is exact for: $18,014,398,509.481986.
    await put('9007199254740993')
    await page.getByTestId('check').click()
    await page.getByTestId('blocked').getByText('The account of ada does not add up').waitFor()
    const rules = page.getByTestId('invariants')
    await rules.getByText('posted 9007199254740993, transfers say 2500000').waitFor()
    const broken = rules.locator('li.broken')
    t.strictSame(await broken.locator('b').allInnerTexts(), [
      'Balances follow transfers',
      'The whole book is in balance',
    ])
    await broken.getByText('Failed.').first().waitFor()
    const { posted } = await admin.must('GET', '/api/ledger')
    const people = page.getByTestId('accounts').locator('tbody tr').first()
    await people.getByText(dollars(posted), { exact: true }).waitFor()
    const together = page.getByTestId('accounts').locator('tfoot')
    await together.getByText('this must be zero').waitFor()
    await together.getByText('$18,014,398,504.481986').waitFor()
    await picture('ledger-broken')
    t.strictSame(await findings(page), [])
    await page.setViewportSize(phone)
    t.equal(await tooWide(page), 0)
    await picture('ledger-broken-phone')
    await page.setViewportSize({ width: 1280, height: 860 })
    await put('2500000')
    await page.getByTestId('check').click()
    await page.getByTestId('blocked').waitFor({ state: 'detached' })
  })

  await t.test('the audit log is found through and handed over, however long it is', async (t) => {
    const { knex } = gateway.gateway.service('database')
    await knex.raw(manyEntries)
    await open('/audit?page=500')
    await page.getByRole('button', { name: 'user 9990', exact: true }).waitFor()
    await page.locator('input[name=action]').fill('channel.')
    await page.keyboard.press('Enter')
    await page.getByText('250 in all').waitFor()
    t.equal(await page.locator('input[name=action]:focus').count(), 1, 'typing goes on there')
    t.match(page.url(), /\/audit\?action=channel\.$/)
    const saving = page.waitForEvent('download')
    await page.getByTestId('export').click()
    const file = await saving
    await page.getByText('250 entries were exported.').waitFor()
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    t.equal(lines.length, 251)
    t.match(lines[0], /id,time,actor_id,actor_name,.*,hash$/)
    t.match(lines[1], /,4,grace,10,session,127\.0\.0\.1,channel\.update,user 1,,'=1\+1,req_1,,,00$/)
    t.equal(new Set(lines).size, 251, 'each once')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    t.equal(await page.locator('input[name=action]').inputValue(), '')
  })

  await t.test('who is not root sees everything and checks nothing', async (t) => {
    const other = { username: 'grace', password: 'a long password here', role: 10 }
    await admin.must('POST', '/api/user/', other)
    const small = await consoleOf(t, context.browser()!, gateway, {
      signedIn: false,
      viewport: phone,
      locale: 'zh-CN',
    })
    await small.context.request.post(`${gateway.url}/api/user/login`, { data: other })
    await small.open('/ledger')
    await small.page.getByTestId('outcome').waitFor()
    t.equal(await small.page.getByTestId('check').count(), 0)
    await small.page.getByTestId('accounts').getByText('收入').waitFor()
    await small.page.getByTestId('invariants').getByText('全账平衡').waitFor()
    t.equal(await tooWide(small.page), 0)
    await small.picture('ledger-phone')
  })
})

/** More than are counted, newest last. */
const manyEntries = `
  INSERT INTO audit_log (created_at, actor_id, actor_name, actor_role, via, address, action, object,
    detail, request_id, hash)
  SELECT now() - n * interval '1 second', 4, 'grace', 10, 'session', '127.0.0.1',
    CASE WHEN n <= 250 THEN 'channel.update' ELSE 'user.update' END, 'user ' || n,
    '=1+1', 'req_' || n, '\\x00' FROM generate_series(10050, 1, -1) n ORDER BY n DESC`

/** Exact, of an amount in units. */
function dollars(quota: number | string): string {
  const [, whole = '', rest = ''] = /^(\d+)(\d{6})$/.exec(String(BigInt(quota) * 2n)) ?? []
  return `$${BigInt(whole).toLocaleString('en')}.${rest.replace(/0{1,4}$/, '')}`
}

function card(page: Page, name: string) {
  return page
    .getByTestId('instance')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
}
