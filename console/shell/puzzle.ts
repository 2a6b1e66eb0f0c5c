/** Whether this page is solving a puzzle of the gateway at the moment. */
import { ref } from 'vue'

export const isSolving = ref(false)
