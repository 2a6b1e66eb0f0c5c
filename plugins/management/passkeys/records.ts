/** Passkeys as their owner reads them. */
import type { PasskeyView } from '../../services/factors/index.js'

export function passkeyRecord(passkey: PasskeyView) {
  const { id, name, createdAt, lastUsedAt, backedUp, deviceType } = passkey
  return {
    id,
    name,
    created_at: seconds(createdAt),
    last_used_at: lastUsedAt === undefined ? null : seconds(lastUsedAt),
    backed_up: backedUp,
    device_type: deviceType,
  }
}

/** `enabled`: the user has one. */
export function passkeysRecord(passkeys: readonly PasskeyView[]) {
  const records = passkeys.map(passkeyRecord)
  const uses = records.flatMap(({ last_used_at }) => last_used_at ?? [])
  return {
    enabled: records.length > 0,
    count: records.length,
    passkeys: records,
    last_used_at: uses.length > 0 ? Math.max(...uses) : null,
  }
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
