/**
 * Looks at pages one after the other: nothing is cut off sideways, axe-core finds no serious fault, and a picture is
 * taken for people.
 */
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { findings } from './axe.js'
import type { Console } from './browser.js'
import { atRest } from './rest.js'

export const publicPages = ['/', '/models', '/notice', '/about', '/nowhere'] as const
export const guestPages = ['/login', '/register', '/reset', ...publicPages] as const
export const phone = { width: 390, height: 844 } as const

/** In both themes. `who` stands in the names of pictures. */
export async function look(
  t: Test,
  console: Console,
  paths: readonly string[],
  who = '',
): Promise<void> {
  const { page } = console
  for (const path of paths) {
    await page.emulateMedia({ colorScheme: 'light' })
    await console.open(path)
    for (const theme of ['light', 'dark'] as const) {
      await inTheme(page, theme)
      const found = await findings(page, theme === 'light' ? 'whole' : 'colours')
      t.strictSame(found, [], `${path} in ${theme}`)
      await console.picture(`${nameOf(path)}-${who}${theme}`)
    }
    await fits(t, page, path)
  }
}

/** In a window of a phone's size. */
export async function lookOnPhone(
  t: Test,
  console: Console,
  paths: readonly string[],
  who = '',
): Promise<void> {
  for (const path of paths) {
    await console.open(path)
    await atRest(console.page)
    await console.picture(`${nameOf(path)}-${who}phone`)
    await fits(t, console.page, path)
  }
}

async function fits(t: Test, page: Page, path: string): Promise<void> {
  const wide = await tooWide(page)
  t.equal(wide, 0, `${path} is ${wide} pixels too wide`)
}

function nameOf(path: string): string {
  return path === '/' ? 'home' : path.slice(1).replaceAll('/', '-')
}

/** Everything the menu and its tabs lead to, for whoever is signed in. */
export async function menuOf({ open, page }: Console): Promise<readonly string[]> {
  await open('/dashboard')
  const links = page.locator('aside nav a[href]')
  const all = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href')!))
  const tabs: string[] = []
  for (const path of all) {
    await open(path)
    const own = page.getByTestId('line-tabs').locator('a[href]')
    tabs.push(
      ...(await own.evaluateAll((found) => found.map((link) => link.getAttribute('href')!))),
    )
  }
  return [...new Set([...all, ...tabs])]
}

/** By how many pixels the page is wider than its window, once it has found its shape in it. */
export async function tooWide(page: Page): Promise<number> {
  return Number(
    await page.evaluate(`new Promise((resolve) => {
    const until = performance.now() + ${shapeMs}
    const look = () => {
      const wide = Math.max(0, document.documentElement.scrollWidth - innerWidth)
      if (wide === 0 || performance.now() > until) resolve(wide)
      else requestAnimationFrame(look)
    }
    look()
  })`),
  )
}

const shapeMs = 5_000

/** Shows the page in a theme. Without rest its colours would be looked at half way between two. */
export async function inTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.locator(`html[data-theme=${theme}]`).waitFor()
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  )
}

/** Heads of a table that break, or whose end is not in sight: cut off, or below another. */
export async function headsCutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('thead th')]
    .filter((head) => {
      const range = document.createRange()
      range.selectNodeContents(head)
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0)
      const { top, right, bottom } = range.getBoundingClientRect()
      const isBroken = lines.some((line) => line.top >= top + 16)
      const isSeen = head.contains(document.elementFromPoint(right - 2, (top + bottom) / 2))
      return head.textContent !== '' && (isBroken || !isSeen)
    })
    .map((head) => head.textContent)`)
}
