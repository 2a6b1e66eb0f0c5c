/** What the catalogue states of a model, and who says so. */
import { aboutFields, type ModelAbout } from '../../../kernel/toolkit/management/index.js'
import type { KnownModel } from './known-models.js'
import { mergedAbout } from './model-about.js'
import type { ModelFacts } from './model-registry.js'

export interface MergedFacts {
  /** Absent: unknown. */
  readonly vendor?: {
    readonly name: string
    /** Of the table, for its mark. Empty: not of the table. */
    readonly id: string
    /** Of an admin's vendor, as it was written. */
    readonly icon: string
  }
  readonly about: ModelAbout
  /** Fields an admin set, `vendor` among them. */
  readonly byAdmin: readonly string[]
  /** The line of the table for this name, whatever an admin set. */
  readonly known?: KnownModel
}

export function mergedFacts(
  { entry, vendor }: Pick<ModelFacts, 'entry' | 'vendor'>,
  known: KnownModel | undefined,
): MergedFacts {
  const own = entry?.about ?? {}
  const byAdmin = aboutFields.filter((field) => own[field] !== undefined)
  return {
    ...(vendor && {
      vendor: { name: vendor.name, id: sameVendor(vendor.name, known), icon: vendor.icon },
    }),
    ...(!vendor && known && { vendor: { ...known.vendor, icon: '' } }),
    about: mergedAbout(own, known?.about ?? {}),
    byAdmin: vendor ? ['vendor', ...byAdmin] : byAdmin,
    known,
  }
}

/** The mark of the table's vendor stands beside an admin's of the same name. */
function sameVendor(name: string, known: KnownModel | undefined): string {
  const isSame = known !== undefined && known.vendor.name.toLowerCase() === name.toLowerCase()
  return isSame ? known.vendor.id : ''
}
