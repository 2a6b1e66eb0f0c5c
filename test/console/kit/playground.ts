/** A Playground in a browser, on a gateway with models of a scripted upstream, and what the tests do with it. */
import type { Locator } from 'playwright-core'
import type { Test } from 'tap'
import { type ScriptedUpstream, scriptedUpstream } from '../../kit/upstream.js'
import { type Console, type ConsoleOptions, openConsole } from './browser.js'

/** As the gateway lists them. */
export const models = ['claude-sonnet-4-5', 'gemini-2.5-pro', 'gpt-4o-mini'] as const

export interface PlaygroundPage extends Console {
  readonly upstream: ScriptedUpstream
  /** Writes a message and sends it. */
  say(text: string): Promise<void>
  /** Answer of a turn and column, both counted from 0. */
  answer(turn: number, column?: number): Locator
  /** Waits until no answer is under way. */
  settled(): Promise<void>
}

export async function openPlayground(
  t: Test,
  options: ConsoleOptions = {},
): Promise<PlaygroundPage> {
  const upstream = await scriptedUpstream(t)
  const opened = await openConsole(t, options)
  const { gateway, page } = opened
  const { admin } = gateway
  await admin.option('ModelRatio', Object.fromEntries(models.map((model) => [model, 1])))
  await admin.option('CompletionRatio', Object.fromEntries(models.map((model) => [model, 4])))
  await admin.option('GroupRatio', { default: 1, vip: 2 })
  await admin.option('UserUsableGroups', { default: 'Usual', vip: 'Served first' })
  const channel = { type: 1, key: 'upstream-key', base_url: upstream.url }
  await admin.channel({ ...channel, name: 'all', models: models.join(','), group: 'default' })
  await admin.channel({ ...channel, name: 'vip', models: models[0], group: 'vip' })
  // Pictures are taken of what stands still.
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: options.theme ?? 'light' })
  await opened.open('/playground')
  await page
    .locator('[data-test=model]')
    .getByText(/\w+-\w+/)
    .first()
    .waitFor()
  const message = page.locator('[data-test=message] textarea')
  const running = page.locator('[data-test=answer][data-state=running]')
  return {
    ...opened,
    upstream,
    async say(text) {
      await message.fill(text)
      await message.press('Enter')
    },
    answer: (turn, column = 0) =>
      page.locator('[data-test=turn]').nth(turn).locator('[data-test=answer]').nth(column),
    async settled() {
      await page.locator('[data-test=answer]').first().waitFor()
      await running.first().waitFor({ state: 'detached' })
    },
  }
}

/** A piece of a stream with any words. */
export const delta = (words: object) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: words }] })}\n\n`

/** Something to wait for until the test opens it. */
export function gate() {
  let open = () => {}
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, open: () => open() }
}
