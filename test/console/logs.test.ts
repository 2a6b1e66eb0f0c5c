/** The usage log: filters, the price of each request as arithmetic, the way it went, and the file of it. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'
import { headsCutOff, inTheme, tooWide } from './kit/look.js'

const answer = (usage: object, headers: Record<string, string> = {}) =>
  json(
    200,
    {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'gpt-4o-mini',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' },
      ],
      usage,
    },
    headers,
  )

const plain = { prompt_tokens: 1_200, completion_tokens: 345, total_tokens: 1_545 }
const cached = { ...plain, prompt_tokens_details: { cached_tokens: 400 } }
const tiny = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

t.test(
  '[BILL-1] every request shows its price as arithmetic that equals the charge',
  { skip: noBrowser },
  async (t) => {
    const upstream = await scriptedUpstream(t)
    const { gateway, page, open, picture } = await openConsole(t, { funds: 0 })
    const { admin, url } = gateway
    const prices = {
      ModelRatio: { 'gpt-4o-mini': 0.075, tiny: 0.01 },
      CompletionRatio: { 'gpt-4o-mini': 16.666666666666 },
      CacheRatio: { 'gpt-4o-mini': 0.5 },
      ModelPrice: { 'fixed-model': 0.04 },
      GroupRatio: { default: 1, vip: 1.5 },
      UserUsableGroups: { default: 'Default', vip: 'VIP' },
      FreeModels: ['free-model'],
    }
    for (const [key, value] of Object.entries(prices)) await admin.option(key, value)
    const models = 'gpt-4o-mini,fixed-model,tiny,free-model'
    const common = { type: 1, key: 'sk-up', models, group: 'default,vip' }
    await admin.channel({
      ...common,
      name: 'Broken',
      base_url: `${upstream.url}/broken`,
      priority: 9,
      auto_ban: 0,
    })
    const main = await admin.channel({
      ...common,
      name: 'Azure Sweden South',
      base_url: upstream.url,
      priority: 1,
    })
    await admin.option('RetryTimes', 2)
    const { key: vip } = await admin.token({ name: '=vip "key"', group: 'vip' })

    async function send(model: string, usage: object, key = gateway.key): Promise<void> {
      upstream.script(async (request, response) => {
        const broken = request.path.startsWith('/broken')
        const script = broken
          ? json(500, { error: { message: 'out of order' } })
          : answer(usage, { 'x-request-id': 'up-77' })
        await script(request, response)
      })
      const { status } = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'x' }] }),
      })
      t.equal(status, 200)
    }

    const requests = [
      ['gpt-4o-mini', plain, gateway.key],
      ['gpt-4o-mini', cached, vip],
      ['fixed-model', plain, vip],
      ['tiny', tiny, gateway.key],
      ['free-model', plain, gateway.key],
    ] as const

    await t.test('a log without rows states what to do', async (t) => {
      await open('/logs')
      await page.locator('[data-test=empty]').getByRole('button').waitFor()
      await picture('logs-empty-light')
      t.strictSame(await findings(page), [])
    })

    await admin.credit(1, 10_000_000)
    for (const [model, usage, key] of requests) await send(model, usage, key)
    const rows = await gateway.logs()
    const table = page.locator('tbody tr')
    const bill = page.locator('[data-test=bill]')

    async function openRow(at: number): Promise<void> {
      await page.getByRole('button', { name: 'More' }).nth(at).press('Enter')
      await bill.waitFor()
    }
    const closeRow = async (at: number) => {
      await page.getByRole('button', { name: 'More' }).nth(at).click()
      await bill.waitFor({ state: 'detached' })
    }

    await t.test('each addend stands there, and the sum is the charge', async (t) => {
      await open('/logs')
      await table.nth(4).waitFor()
      await picture('logs-light')
      t.strictSame(await headsCutOff(page), [], 'each head stands in one line')
      const name = page.locator('tbody').getByText('Azure Sweden South', { exact: true }).first()
      t.ok((await name.boundingBox())!.height < 30, 'a name stands in one line')
      const expected: Readonly<Record<number, RegExp>> = {
        0: /free-model is free/,
        1: /Less than a unit counts as one: 1 unit/,
        2: /1 × \$0\.04 each × 1\.5 \(group vip\)\$0\.06/,
        3: /400 × \$0\.075 \/ 1M tokens × 1\.5 \(group vip\)\$0\.000045/,
        4: /1,200 × \$0\.15 \/ 1M tokens × 1 \(group default\)\$0\.00018\S*Output\S* × \$2\.50 \/ 1M tokens/,
      }
      for (const [at, words] of Object.entries(expected)) {
        await openRow(Number(at))
        t.match(await bill.innerText().then((text) => text.replace(/\s*\n\s*|\t/g, '')), words)
        await bill.getByText('Equals what was charged, to the unit.').waitFor()
        const { quota } = rows[Number(at)] ?? { quota: -1 }
        const shown = await bill.locator('[data-test=charged]').innerText()
        t.equal(Math.round(Number(shown.slice(1)) * 500_000), quota, 'as the server has it')
        await closeRow(Number(at))
      }
      await openRow(3)
      await picture('logs-row-light')
      t.strictSame(await findings(page), [])
    })

    await t.test(
      'the channels that were tried stand there, with the id of the upstream',
      async (t) => {
        const detail = page.locator('[data-test=detail]')
        const attempts = await detail.locator('[data-test=attempts]').innerText()
        t.match(
          attempts,
          /Broken #\d+, group vip: 500[\s\S]*Azure Sweden South #\d+, group vip: Succeeded/,
        )
        const link = detail.getByRole('link', { name: `Azure Sweden South #${main}` })
        t.equal(await link.getAttribute('href'), `/channels/${main}`)
        await detail.getByText('up-77').waitFor()
        await page.getByRole('button', { name: 'Copy Request id' }).click()
        t.equal(await page.evaluate('navigator.clipboard.readText()'), rows[3]?.request_id)
        await closeRow(3)
        await inTheme(page, 'dark')
        await open('/logs')
        await table.nth(4).waitFor()
        await openRow(3)
        await picture('logs-row-dark')
        t.strictSame(await findings(page), [])
        await inTheme(page, 'light')
        await closeRow(3)
      },
    )

    await t.test('filters stand in the address and narrow rows and sums', async (t) => {
      await page.locator('input[name=model_name]').fill('4o')
      await page.locator('input[name=model_name]').press('Enter')
      await page.waitForURL(/model_name=4o/)
      await table.nth(2).waitFor({ state: 'detached' })
      t.equal(await table.count(), 2)
      const spent = Number((rows[3]?.quota ?? 0) + (rows[4]?.quota ?? 0)) / 500_000
      await page.locator('[data-test=sums]').getByText(`$${spent}`).waitFor()
      await open('/logs?token_name=%3Dvip%20%22key%22&page=1')
      await table.nth(1).waitFor()
      t.equal(await table.count(), 2)
      await page.locator('input[name=request_id]').fill('req_unknown')
      await page.locator('input[name=request_id]').press('Enter')
      await page.getByText('Nothing found').waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await table.nth(4).waitFor()
    })

    await t.test('the rows of the filter become a file', async (t) => {
      await open('/logs?type=2')
      await table.nth(4).waitFor()
      const coming = page.waitForEvent('download')
      await page.locator('[data-test=export]').click()
      const text = await readFile(await (await coming).path(), 'utf8')
      const lines = text.trim().split('\r\n')
      t.equal(lines.length, 1 + rows.length)
      t.match(lines[0], /^\uFEFF?time,id,request_id,type,model/)
      const numbers = lines.slice(1).map((line) => line.split(',')[1])
      t.equal(new Set(numbers).size, numbers.length, 'each row has a number of its own')
      t.match(lines[4], String(rows[3]?.quota))
      t.match(lines[4], `,"'=vip ""key""",`, 'a spreadsheet must not take a name for a formula')
    })

    await t.test('a failed request stands there with what its client received', async (t) => {
      upstream.script(json(500, { error: { message: 'out of order' } }))
      const failed = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${vip}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'tiny', messages: [{ role: 'user', content: 'x' }] }),
      })
      t.equal(failed.status, 502)
      const { error } = (await failed.json()) as { error: { message: string } }
      await gateway.gateway.idle()
      await gateway.gateway.service('usage-log').flush()
      await open('/logs?type=5')
      await table.getByText('502 · upstream_error').waitFor()
      t.equal(await table.count(), 1)
      await picture('logs-errors-light')
      await page.getByRole('button', { name: 'More' }).press('Enter')
      const note = page.locator('[data-test=error]')
      await note.getByText(error.message).waitFor()
      await note.getByText('Returned to the client: 502, upstream_error').waitFor()
      t.equal(await bill.count(), 0, 'it has no price')
      const attempts = await page.locator('[data-test=attempts]').innerText()
      t.match(attempts, new RegExp(`Azure Sweden South #${main}, group vip: 500 · upstream_error$`))
      t.notMatch(attempts, 'Succeeded')
      await picture('logs-error-light')
      t.strictSame(await findings(page), [])
      const coming = page.waitForEvent('download')
      await page.locator('[data-test=export]').click()
      const text = await readFile(await (await coming).path(), 'utf8')
      t.match(text, /,status_code,error_code,content,/)
      t.match(text, `,502,upstream_error,${error.message},`)
    })

    await t.test('it fits a phone', async (t) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await open('/logs')
      await table.nth(4).waitFor()
      await openRow(3)
      const wide = await tooWide(page)
      t.ok(wide === 0, `nothing but the table is wider: ${wide}`)
      await picture('logs-row-phone')
    })

    await t.test('a count that cannot be true stands there with what was charged', async (t) => {
      await page.setViewportSize({ width: 1280, height: 860 })
      const absurd = { ...plain, completion_tokens: 1e15, total_tokens: 1e15 }
      await send('gpt-4o-mini', absurd)
      await gateway.logs()
      await open('/logs')
      await table.nth(5).waitFor()
      await openRow(0)
      const facts = await page.locator('[data-test=detail]').innerText()
      t.match(
        facts,
        /Usage corrected\s+output: 1,?000,?000,?000,?000,?000 reported, [\d,]+ charged/i,
      )
      await picture('logs-row-corrected')
      t.strictSame(await findings(page), [])
    })
  },
)
