/** Which task types serve which channel types, and what their manifests state of requests. */
import type { RequestForm, Translations } from '../../../kernel/contract/manifest.js'
import type { OperationName } from '../../../kernel/contract/names.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import { taskTypesIn } from '../../../kernel/toolkit/management/index.js'
import { usualForms, usualTranslations } from './usual-forms.js'

export interface StatedForm {
  readonly fields: RequestForm['fields']
  readonly translations: Translations
}

export interface Makers {
  /** Some task type serves channels of this type. */
  serve(channelType: number): boolean
  /** The channel type is the plugin's own, so everything a channel of it serves is media. */
  owns(plugin: string, channelType: number): boolean
  /** What the plugin's manifest states, else what is usual. Undefined: no request of this kind is made here. */
  form(plugin: string, operation: OperationName, action: string | undefined): StatedForm | undefined
}

export function makersIn(catalog: Pick<Catalog, 'list' | 'channelTypes'>): Makers {
  const types = taskTypesIn(catalog)
  const manifests = new Map(types.map(({ manifest }) => [manifest.id, manifest]))
  const served = new Set(types.flatMap(({ channelTypes }) => [...channelTypes]))
  return {
    serve: (channelType) => served.has(channelType),
    owns: (plugin, channelType) =>
      manifests.get(plugin)?.channelTypes.some(({ id }) => id === channelType) === true,
    form(plugin, operation, action) {
      const { requestFields = [], translations = {} } = manifests.get(plugin) ?? {}
      const stated = requestFields.find(
        (form) => form.operation === operation && form.action === action,
      )
      if (stated !== undefined) return { fields: stated.fields, translations }
      const usual = usualForms.find((form) => form.operation === operation)
      return usual && { fields: usual.fields, translations: usualTranslations }
    },
  }
}
