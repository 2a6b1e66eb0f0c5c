/** What axe-core finds wrong with a page for people who use it by keyboard or screen reader. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { atRest } from './rest.js'

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Of a page whose other theme was looked at already, only colours can be at fault. */
export type Looked = 'whole' | 'colours'

/** Serious and critical findings, each as one line: rule, where, how often. The page is looked at once it is at rest. */
export async function findings(page: Page, looked: Looked = 'whole'): Promise<readonly string[]> {
  await atRest(page)
  const { result } = await evaluated(page, looked)
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

interface Outcome {
  readonly result: {
    readonly violations: readonly {
      readonly id: string
      readonly impact: string
      readonly nodes: readonly { readonly html: string }[]
    }[]
  }
}

/** The page's own policy forbids foreign scripts, so it is run by the debugger and not by the page. */
async function evaluated(page: Page, looked: Looked): Promise<Outcome> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await source)
  // Frames of other origins cannot be looked into; asking them only makes them complain.
  const options = {
    resultTypes: ['violations'],
    iframes: false,
    ...(looked === 'colours' && { runOnly: ['color-contrast'] }),
  }
  return { result: await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`) }
}
