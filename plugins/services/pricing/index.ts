/** Pricing: keeps the table in force in step with the price options, and checks them before they are stored. */
import { createHash } from 'node:crypto'
import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { checkedCostTerms } from './cost-terms.js'
import { decimalText, one } from './decimal.js'
import { defaultTexts } from './defaults.js'
import { type Edit, edit, editedOptions, type ReadMap } from './edit.js'
import { type PriceField, type PriceMaps, priceOptions } from './price-maps.js'
import { priceOfTerms } from './price-of-terms.js'
import type { PriceChange, PriceChanges, Pricing } from './pricing.js'
import { tryCard } from './rate-cards/try-card.js'
import { type Table, tableOf } from './table.js'

export type * from './pricing.js'

const fields = Object.keys(priceOptions) as readonly PriceField[]

export default function create({ settings, services, log }: Kit<'options'>): Pricing & Life {
  const { options } = services
  const readers = fields.map((field) => ({ field, read: reader(field) }))
  const readMap = readerOf(readers)
  let table: Table | undefined

  function build(): void {
    const texts = readers.map(({ field }) => settings.string(field))
    const version = versionOf(texts)
    if (version === table?.version) return
    const maps = readers.map(({ field, read }, index) => [field, read(texts[index]!)] as const)
    table = tableOf(Object.fromEntries(maps) as unknown as PriceMaps, version)
    log.info({ version }, 'a new price table is in force')
  }

  /** A table that cannot be read is never half in force: the last good one stays. */
  function rebuild(): void {
    try {
      build()
    } catch (error) {
      log.error({ err: error }, 'the stored prices cannot be read; the last table stays in force')
    }
  }

  function current(): Table {
    if (table === undefined) throw new Error('The price table is there once pricing has started.')
    return table
  }

  async function change(
    changes: PriceChanges,
    check?: (found: readonly PriceChange[]) => void,
  ): Promise<readonly PriceChange[]> {
    let done: Edit | undefined
    await options.change(editedOptions, (texts) => {
      done = edit(texts, changes, readMap)
      check?.(done.changes)
      return done.texts
    })
    return done?.changes ?? []
  }

  function preview(changes: PriceChanges): readonly PriceChange[] {
    const texts = fields.map((field) => [priceOptions[field].option, settings.string(field)])
    return edit(Object.fromEntries(texts), changes, readMap).changes
  }

  for (const { field, read } of readers) {
    options.check(priceOptions[field].option, (text) => void read(text))
  }

  return {
    current,
    priced: (model) => current().priced(model),
    groups: () => current().groups,
    ratio: (group, userGroup) => Number(decimalText(current().ratio(group, userGroup) ?? one)),
    change,
    preview,
    ofTerms: priceOfTerms,
    costTerms: checkedCostTerms,
    example: (trial) => tryCard(current(), priceOptions.taskRateCards.option, trial),
    async start() {
      await options.seed(defaultTexts())
      build()
      settings.onChange(rebuild)
    },
  }
}

interface Reader {
  readonly field: PriceField
  readonly read: (text: string) => PriceMaps[PriceField]
}

function readerOf(readers: readonly Reader[]): ReadMap {
  const byField = new Map(readers.map(({ field, read }) => [field, read]))
  return <Field extends PriceField>(field: Field, text: string) =>
    byField.get(field)!(text) as PriceMaps[Field]
}

/** Keeps the map of the last text: checking a value and then building with it reads it once. */
function reader(field: PriceField): (text: string) => PriceMaps[PriceField] {
  const { option, read } = priceOptions[field]
  let last: { readonly text: string; readonly map: PriceMaps[PriceField] } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, map: read(option, text) }
    return last.map
  }
}

/** The same texts give the same version in every process. */
function versionOf(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length}:`).update(text)
  return hash.digest('hex').slice(0, 16)
}
