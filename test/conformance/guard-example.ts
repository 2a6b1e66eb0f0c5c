/** A sound guard, and what the kit of guards says of it or of one in its place. */
import type { Body } from '../../kernel/contract/body.js'
import type { GuardAt } from '../../kernel/contract/guard.js'
import { Refusal } from '../../kernel/toolkit/errors/index.js'
import { conformingGuard, type GuardSubject } from './guard.js'

export type ExampleGuard = GuardAt<'auth', 'after'>

export const guardManifest = JSON.stringify({
  ...{ id: 'guard.acme', kind: 'guard', engines: { waybill: '^1.0' }, version: '1.0.0' },
  ...{ title: 'Acme guard', entry: './index.js', guards: { stage: 'auth', where: 'after' } },
  settings: [{ name: 'word', type: 'string', default: 'forbidden', title: 'Word' }],
})

export const textOf = (body: Body) => (body.kind === 'json' ? JSON.stringify(body.value) : '')

export const soundGuard: GuardSubject['create'] = ({ settings }): ExampleGuard => ({
  check({ body }) {
    if (textOf(body).includes(settings.string('word'))) throw new Refusal('access_denied')
  },
})

export const bodyWith = (content: string): { readonly body: Body } => ({
  body: { kind: 'json', value: { model: 'm', messages: [{ role: 'user', content }] } },
})

export const guardSubject: GuardSubject = {
  manifest: guardManifest,
  create: soundGuard,
  passes: [{ name: 'harmless', record: bodyWith('Hello') }],
  refuses: [{ name: 'the word', record: bodyWith('a forbidden word'), code: 'access_denied' }],
  withinMs: 500,
}

/** Titles of what failed. */
export async function guardFailures(over: Partial<GuardSubject>): Promise<string[]> {
  const failed: string[] = []
  const test = (title: string, run: () => Promise<void>) => {
    const whole = async () => run()
    return whole().catch(() => void failed.push(title))
  }
  await conformingGuard(test, { ...guardSubject, ...over })
  return failed
}
