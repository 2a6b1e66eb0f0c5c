/** Media in the Playground, in a real browser, on a real gateway with a task type of the tests. */
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { consolePages } from '../../config/built-in.js'
import { type TaskGateway, taskGateway } from '../kit/task-gateway.js'
import { json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { consoleOf, hearComplaints, launch, noBrowser } from './kit/browser.js'
import { cuttable, type LiveLine } from './kit/live-line.js'
import { inTheme, phone, tooWide } from './kit/look.js'

const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** A head of a clip, which is enough to be fetched. */
const clip = 'data:video/mp4;base64,AAAAGGZ0eXBtcDQy'

interface Opened {
  readonly gateway: TaskGateway
  readonly page: Page
  readonly picture: (name: string) => Promise<void>
  readonly expectError: (part: string | RegExp) => void
  readonly prompt: () => ReturnType<Page['locator']>
}

interface OpenOptions {
  readonly locale?: string
  /** Called before the page is opened. */
  readonly before?: (page: Page) => Promise<void>
}

async function openMedia(t: Test, { before, ...options }: OpenOptions = {}): Promise<Opened> {
  hearComplaints(t)
  const gateway = await taskGateway(t, { pages: consolePages })
  const images = await scriptedUpstream(t)
  images.takes('it is no model of chat')
  images.script(json(200, { created: 1, data: [{ b64_json: dot }] }))
  const { admin } = gateway
  await admin.option('ModelPrice', { 'dall-e-3': 0.04 })
  await admin.channel({
    ...{ type: 1, name: 'pictures', key: 'k', base_url: images.url, models: 'dall-e-3' },
    group: 'default',
  })
  const browser = await launch()
  t.teardown(() => browser.close())
  const { page, open, picture, expectError } = await consoleOf(t, browser, gateway, options)
  await before?.(page)
  await open('/playground/media')
  await page.locator('[data-test=media-form]').waitFor()
  return {
    ...{ gateway, page, picture, expectError },
    prompt: () => page.locator('[data-test=field-prompt] textarea'),
  }
}

/** A round of the gateway's own may be under way, which saw what the upstream reported before. */
async function reached({ knex, round }: TaskGateway, prompt: string, state: string) {
  for (let times = 0; times < 20; times += 1) {
    await round()
    const rows: { state: string; request: unknown }[] = await knex('tasks').select()
    const row = rows.find(({ request }) => JSON.stringify(request).includes(prompt))
    if (row?.state === state) return
  }
  throw new Error(`the task of ${prompt} did not become ${state}`)
}

/** The same of a task that is being made. */
async function reachedPercent({ knex, round }: TaskGateway, percent: number) {
  for (let times = 0; times < 20; times += 1) {
    await round()
    if ((await knex('tasks').where({ percent })).length > 0) return
  }
  throw new Error(`no task reached ${percent} %`)
}

async function choose(page: Page, place: string, option: string): Promise<void> {
  await page.locator(place).click()
  await page.locator('.n-base-select-option').getByText(option).click()
}

t.test('a clip from its fields and price to its end', { skip: noBrowser }, async (t) => {
  const { gateway, page, picture, prompt, expectError } = await openMedia(t)
  const { upstream } = gateway
  const price = page.locator('[data-test=price]')
  const task = page.locator('[data-test=task]').first()
  const submit = page.locator('[data-test=submit]')

  await t.test(
    'fields are those of the task type, and the price is that of the request',
    async (t) => {
      t.equal(await page.locator('[data-test^=field-]').count(), 5)
      await price.getByText('$0.01', { exact: false }).waitFor()
      await prompt().fill('a lake at dawn')
      await page.locator('[data-test=field-seconds] input').fill('8')
      await price.getByText('$0.016', { exact: false }).waitFor()
      await choose(page, '[data-test=field-resolution] .n-base-selection', '1080p')
      await price.getByText('$0.032', { exact: false }).waitFor()
      await picture('media-form-light')
      t.strictSame(await findings(page), [])
    },
  )

  await t.test(
    'it is submitted by the session, goes on by itself, and its clip is shown',
    async (t) => {
      await submit.click()
      await task.waitFor()
      t.equal(await task.getAttribute('data-state'), 'queued')
      const made = upstream.byPrompt('a lake at dawn')
      t.match(made.body, { seconds: 8, resolution: '1080p' })
      made.report = { id: made.id, status: 'running', percent: 40 }
      await reached(gateway, 'a lake at dawn', 'running')
      await task.getByText('40 %').waitFor()
      await task.locator('[data-test=cancel]').waitFor()
      await picture('media-running-light')
      t.strictSame(await findings(page), [])
      made.report = { id: made.id, status: 'done', url: clip, seconds: 8 }
      await reached(gateway, 'a lake at dawn', 'succeeded')
      const shown = task.locator('video')
      await shown.waitFor()
      const source = (await shown.getAttribute('src')) ?? ''
      t.match(source, /^\/pg\/tasks\//)
      const fetched = await page.request.get(source)
      t.equal(fetched.status(), 200)
      await task.getByText('Cost: $0.032').waitFor()
      t.ok(await task.locator('[data-test=download]').getAttribute('download'))
      await picture('media-done-light')
    },
  )

  await t.test('why a task failed is shown, and that it cost nothing', async () => {
    await prompt().fill('a storm')
    await submit.click()
    await page.locator('[data-test=task][data-state=queued]').waitFor()
    const made = upstream.byPrompt('a storm')
    made.report = { id: made.id, status: 'failed', reason: 'The sky was empty.' }
    await reached(gateway, 'a storm', 'failed')
    await task.getByText('The sky was empty.').waitFor()
    await task.getByText('Cost: $0.00').waitFor()
  })

  await t.test('a task is cancelled', async () => {
    await prompt().fill('a sea')
    await submit.click()
    await page.locator('[data-test=task][data-state=queued]').waitFor()
    await task.locator('[data-test=cancel]').click()
    await task.getByText('It was cancelled.').waitFor()
  })

  await t.test('an error stands at the field it names', async () => {
    expectError('400')
    await page.locator('[data-test=field-seconds] input').fill('4000')
    await submit.click()
    const field = page.locator('[data-test=field-seconds] [role=alert]')
    await field.getByText('seconds').waitFor()
    await picture('media-fault-light')
    await page.locator('[data-test=field-seconds] input').fill('5')
    await field.waitFor({ state: 'detached' })
  })

  await t.test('an image is uploaded, or given by its address', async (t) => {
    const field = page.locator('[data-test=image-image]')
    const file = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') }
    await field.locator('[data-test=picker]').setInputFiles(file)
    await field.locator('img').waitFor()
    t.equal(await field.locator('img').getAttribute('src'), `data:image/png;base64,${dot}`)
    await field.getByRole('button', { name: /Take|Remove/ }).click()
    const large = { ...file, buffer: Buffer.concat([file.buffer, Buffer.alloc(5 * 1024 * 1024)]) }
    await field.locator('[data-test=picker]').setInputFiles(large)
    await page.getByText('larger than 5 MB').waitFor()
    await field.locator('input[name=image-address]').fill('https://pictures.example/dot.png')
    await field.locator('input[name=image-address]').press('Enter')
    await field.getByText('https://pictures.example/dot.png').first().waitFor()
  })

  await t.test('images that come at once are shown', async (t) => {
    await choose(page, '[data-test=media-model]', 'dall-e-3')
    await price.getByText('$0.04').waitFor()
    await prompt().fill('a dot')
    await submit.click()
    await page.locator('[data-test=made] img').waitFor()
    await picture('media-image-light')
    t.strictSame(await findings(page), [])
  })

  await t.test('in the dark and on a phone nothing is cut off', async (t) => {
    await inTheme(page, 'dark')
    t.strictSame(await findings(page, 'colours'), [])
    await picture('media-dark')
    await page.setViewportSize(phone)
    t.equal(await tooWide(page), 0)
    await picture('media-phone-dark')
  })
})

t.test('the page listens for its tasks', { skip: noBrowser, timeout: 360_000 }, async (t) => {
  let line: LiveLine | undefined
  let reads = 0
  const { gateway, page, prompt } = await openMedia(t, {
    async before(page) {
      await page.clock.install()
      line = await cuttable(page)
      page.on('request', (request) => {
        if (new URL(request.url()).pathname === '/pg/tasks') reads += 1
      })
    },
  })
  const { upstream } = gateway
  const task = page.locator('[data-test=task]').first()
  /** The first, that of the page that listens from now on, that of a submission; and one for each news, at most. */
  const readsDue = () => 3 + line!.news.filter((path) => path === '/live/tasks').length
  // What was read before the page listens may be old by then, so it reads once more.
  while (reads < 2) await page.waitForRequest('**/pg/tasks')

  /** What was due meanwhile is on its way when this resolves: a request that was made later has its answer. */
  async function forward(ms: number) {
    await page.clock.fastForward(ms)
    await page.evaluate(`fetch('/api/status').then(() => undefined)`)
  }

  async function submit(text: string) {
    await prompt().fill(text)
    await page.locator('[data-test=submit]').click()
    await task.getByText(text).waitFor()
    return upstream.byPrompt(text)
  }

  await t.test('news alone show how a task goes on, and its end', async (t) => {
    const made = await submit('a river')
    await reached(gateway, 'a river', 'queued')
    for (let times = 0; times < 10; times += 1) await forward(11_000)
    t.ok(reads <= readsDue(), `${reads} reads, of which ${readsDue()} are due`)
    made.report = { id: made.id, status: 'running', percent: 40 }
    await reached(gateway, 'a river', 'running')
    await task.getByText('40 %').waitFor()
    made.report = { id: made.id, status: 'done', url: clip, seconds: 5 }
    await reached(gateway, 'a river', 'succeeded')
    await task.locator('video').waitFor()
    t.ok(reads <= readsDue(), `${reads} reads, of which ${readsDue()} are due`)
  })

  await t.test('without a line it reads every ten seconds while a task is made', async () => {
    line!.isCut = true
    await line!.cut()
    const made = await submit('a delta')
    for (const percent of [20, 40, 60]) {
      made.report = { id: made.id, status: 'running', percent }
      await reachedPercent(gateway, percent)
      await page.clock.fastForward(11_000)
      // Everything shown is read every half minute in any case, which is too seldom for three of these.
      await task.getByText(`${percent} %`).waitFor({ timeout: 8_000 })
    }
  })
})

t.test('the same in Chinese', { skip: noBrowser }, async (t) => {
  const { page, picture } = await openMedia(t, { locale: 'zh-CN' })
  await page.getByText('提示词').first().waitFor()
  await page.locator('[data-test=field-seconds]').getByText('1 至 4000').waitFor()
  const untranslated = page.locator('[data-test=field-audio]').getByText('Sound')
  await untranslated.waitFor()
  await page.getByText('还没有任务').waitFor()
  t.strictSame(await findings(page), [])
  await picture('media-chinese')
})
