/** Pages that follow the gateway by themselves, and what they do while nobody tells them anything. */
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { consoleOf, noBrowser, openConsole } from './kit/browser.js'
import { cuttable } from './kit/live-line.js'

const question = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] }
/** More often than that no page asks by itself. */
const pollMs = 30_000
/** Who does nothing for so long is not there. */
const awayMs = 301_000

t.test('an open console follows the gateway', { skip: noBrowser, timeout: 240_000 }, async (t) => {
  const upstream = await scriptedUpstream(t)
  upstream.script(json(200, chat.whole('Hello', 100_000, 100_000)))
  const { gateway, page, context, open, expectError } = await openConsole(t)
  const { admin } = gateway
  const wire = wireOf(page)
  const id = await admin.channel({
    ...{ type: 1, key: 'sk-up', base_url: upstream.url, models: 'gpt-4o-mini', name: 'main' },
    group: 'default',
  })
  const ask = async () => (await gateway.chat(question)).text()

  await t.test('nobody listens before the sign-in', async (t) => {
    const guest = await consoleOf(t, context.browser()!, gateway, { signedIn: false })
    guest.expectError(/401/)
    let sockets = 0
    guest.page.on('websocket', () => {
      sockets += 1
    })
    for (const path of ['/login', '/models']) await guest.open(path)
    await guest.page.waitForLoadState('networkidle')
    t.equal(sockets, 0)
  })

  await t.test('the balance follows a relayed request', async (t) => {
    await open('/dashboard')
    await balance(page).getByText('$20.00').waitFor()
    await wire.find(admits('/live/account'))
    await ask()
    await balance(page).getByText('$20.00').waitFor({ state: 'detached' })
    t.ok((await gateway.balance()) < 10_000_000n)
  })

  await t.test('what another administrator changed is shown without a reload', async (t) => {
    await page.getByRole('link', { name: 'Channels' }).click()
    await wire.find(admits(channelNews))
    const state = page.getByRole('switch').first()
    t.equal(await state.getAttribute('aria-checked'), 'true')
    await admin.must('PUT', '/api/channel/', { id, status: 2 })
    await page.locator('[role=switch][aria-checked=false]').first().waitFor()
    await admin.must('PUT', '/api/channel/', { id, status: 1 })
    await page.locator('[role=switch][aria-checked=true]').first().waitFor()
  })

  await t.test('a page that is left is not listened for any more', async (t) => {
    wire.forget()
    await page.getByRole('link', { name: 'API keys' }).first().click()
    const { path } = await wire.find(({ way, type }) => way === 'sent' && type === 'unsub')
    t.equal(path, channelNews)
    await page.getByRole('link', { name: 'Channels' }).click()
    await wire.find(admits(channelNews))
    const left = wire.frames.filter(({ way, type }) => way === 'sent' && type === 'unsub')
    t.notOk(
      left.some((frame) => frame.path === '/live/account'),
      'others go on listening',
    )
  })

  await t.test('who signs out listens no longer, and who signs in does again', async () => {
    const socket = page.waitForEvent('websocket')
    await open('/dashboard')
    const closed = (await socket).waitForEvent('close')
    expectError(/401/)
    await page.getByRole('button', { name: /Account of/ }).click()
    await page.getByText('Sign out').click()
    await closed
    await page.waitForURL('**/login**')
    const again = page.waitForEvent('websocket')
    await page.locator('input[name=username]').fill('root')
    await page.locator('input[name=password]').fill('correct horse battery')
    await page.locator('button[type=submit]').click()
    await again
  })

  await t.test('a user whose account is switched off is shown the sign-in', async (t) => {
    const person = { username: 'ada', password: 'a long password here' }
    await admin.must('POST', '/api/user/', person)
    const own = await consoleOf(t, context.browser()!, gateway, { signedIn: false })
    const ownWire = wireOf(own.page)
    await own.context.request.post(`${gateway.url}/api/user/login`, { data: person })
    await own.open('/dashboard')
    await ownWire.find(admits('/live/account'))
    own.expectError(/401/)
    const { items } = await admin.must('GET', '/api/user/search?keyword=ada')
    await admin.must('POST', '/api/user/manage', { id: items[0].id, action: 'disable' })
    await own.page.waitForURL('**/login?**ended=1**')
  })
})

t.test('a console that is cut off', { skip: noBrowser, timeout: 240_000 }, async (t) => {
  const { gateway, page, context, open } = await openConsole(t)
  const { admin } = gateway
  const channel = { type: 1, key: 'sk-up', base_url: 'https://up.example', models: 'm' }
  const id = await admin.channel({ ...channel, name: 'main', group: 'default' })
  const line = await cuttable(page)

  await t.test('comes back by itself and reads what it missed', async (t) => {
    await open('/channels')
    await page.locator('[role=switch][aria-checked=true]').first().waitFor()
    line.isCut = true
    await line.cut()
    await admin.must('PUT', '/api/channel/', { id, status: 2 })
    line.isCut = false
    await page.locator('[role=switch][aria-checked=false]').first().waitFor()
    t.ok(line.count > 1)
    await admin.must('PUT', '/api/channel/', { id, status: 1 })
    await page.locator('[role=switch][aria-checked=true]').first().waitFor()
  })

  await t.test('reads what changed before it heard anything', async (t) => {
    const late = await consoleOf(t, context.browser()!, gateway)
    const release = await lateLine(late.page)
    await late.open('/channels')
    await late.page.locator('[role=switch][aria-checked=true]').first().waitFor()
    await admin.must('PUT', '/api/channel/', { id, status: 2 })
    t.equal(await late.page.locator('[role=switch][aria-checked=true]').count(), 1)
    release()
    await late.page.locator('[role=switch][aria-checked=false]').first().waitFor()
    await admin.must('PUT', '/api/channel/', { id, status: 1 })
  })

  await t.test('reads now and then while nobody tells it anything', async (t) => {
    await page.clock.install()
    line.isCut = true
    await open('/channels')
    await page.locator('[role=switch][aria-checked=true]').first().waitFor()
    await admin.must('PUT', '/api/channel/', { id, status: 2 })
    await admin.credit(1, 500_000)
    t.equal(await page.locator('[role=switch][aria-checked=true]').count(), 1)
    await page.clock.fastForward(pollMs)
    await page.locator('[role=switch][aria-checked=false]').first().waitFor()
    await balance(page).getByText('$21.00').waitFor()
  })

  await t.test('[AUTH-2] uses its session only while somebody is there', async (t) => {
    const reads = () => page.waitForRequest((request) => request.url().includes('/api/channel/?'))
    await page.clock.fastForward(awayMs)
    const alone = reads()
    await page.clock.fastForward(pollMs)
    t.equal((await (await alone).allHeaders())['x-session-unused'], '1')
    await page.mouse.move(100, 100)
    await page.mouse.move(200, 200)
    const watched = reads()
    await page.clock.fastForward(pollMs)
    t.equal((await (await watched).allHeaders())['x-session-unused'], undefined)
  })
})

const channelNews = '/live/changes/channels'

function balance(page: Page): Locator {
  return page.locator('[data-test=balance]')
}

interface Frame {
  readonly way: 'sent' | 'received'
  readonly type: string
  readonly path?: string
}

interface Wire {
  readonly frames: readonly Frame[]
  /** Resolves with the first that fits, be it there or still to come. */
  find(fits: (frame: Frame) => boolean): Promise<Frame>
  /** What was so far counts no more. */
  forget(): void
}

/** What goes over the live socket of a page. */
function wireOf(page: Page): Wire {
  const frames: Frame[] = []
  const looks = new Set<() => void>()
  function note(way: Frame['way'], payload: string | Buffer): void {
    frames.push({ way, ...JSON.parse(String(payload)) })
    for (const look of looks) look()
  }
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => note('sent', payload))
    socket.on('framereceived', ({ payload }) => note('received', payload))
  })
  return {
    frames,
    find: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = frames.find(fits)
          if (found === undefined) return
          looks.delete(look)
          resolve(found)
        }
        looks.add(look)
        look()
      }),
    forget: () => void frames.splice(0),
  }
}

/** The gateway stated yes to a topic. */
function admits(path: string) {
  return (frame: Frame) => frame.way === 'received' && frame.type === 'sub' && frame.path === path
}

/** A live line on which nothing the page states arrives until it is released. */
async function lateLine(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.routeWebSocket('**/live', (socket) => {
    const gateway = socket.connectToServer()
    socket.onMessage(async (message) => {
      await released
      gateway.send(message)
    })
  })
  return release
}
