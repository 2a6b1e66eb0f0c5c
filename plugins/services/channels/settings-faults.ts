/**
 * Faults of settings that nobody saved here, such as those of a channel that came from elsewhere: the log has each once, for as
 * long as it stands, and the channel's page shows it, since the channel serves what it can all the same.
 */
import type { Log } from '../../../kernel/contract/kit.js'
import type { Providers } from '../../../kernel/contract/services/providers.js'
import type { ChannelColumns } from './channel-row.js'

type Row = Pick<ChannelColumns, 'id' | 'type' | 'status' | 'settings'>

export interface SettingsFaults {
  /** Secrets of the row are sealed, so what its provider says of them may be logged. */
  look(row: Row): void
  /** A sentence; undefined: none is known. Of channels that are switched off nothing is known. */
  of(id: number): string | undefined
  forget(id: number): void
}

export function settingsFaults(dependencies: {
  readonly providers: Pick<Providers, 'provider'>
  readonly log: Log
}): SettingsFaults {
  const { providers, log } = dependencies
  const logged = new Map<number, string>()

  function faultOf({ type, status, settings }: Row): string | undefined {
    if (status !== 1) return undefined
    try {
      return providers.provider(type)?.faultOf?.(settings)
    } catch {
      // The plugin's health has it; channels are read all the same.
      return 'The provider could not judge them.'
    }
  }

  return {
    look(row) {
      const fault = faultOf(row)
      if (fault === undefined) logged.delete(row.id)
      else if (logged.get(row.id) !== fault) {
        logged.set(row.id, fault)
        log.warn({ channelId: row.id, fault }, 'the settings of a channel have a fault')
      }
    },
    of: (id) => logged.get(id),
    forget: (id) => logged.delete(id),
  }
}
