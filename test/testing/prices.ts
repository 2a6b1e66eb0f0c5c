/** Prices of models that have none: a gateway relays nothing without one. */
import type { Management } from './management.js'

/** One unit of quota for each token in, and as many out. */
const ratio = 1

export async function priceModels(admin: Management, models: readonly string[]): Promise<void> {
  const options = (await admin.must('GET', '/api/option/')) as readonly Option[]
  const known = options.find(({ key }) => key === 'ModelRatio')?.value ?? '{}'
  const ratios = JSON.parse(known) as Record<string, number>
  const missing = models.filter((model) => !Object.hasOwn(ratios, model))
  if (missing.length === 0) return
  const added = Object.fromEntries(missing.map((model) => [model, ratio]))
  await admin.option('ModelRatio', { ...ratios, ...added })
}

interface Option {
  readonly key: string
  readonly value: string
}
