// The id of this tab. A reload keeps it; a tab that was duplicated gets its own.

const NAME = "crowdwright.tab";

function fresh() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function stored() {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/** Hold a lock under the id as long as the page lives; false if another tab holds it. */
function held(id) {
  if (!navigator.locks) return Promise.resolve(true); // only over https and on localhost
  return new Promise((resolve) => {
    navigator.locks.request(`${NAME}.${id}`, { ifAvailable: true }, (lock) => {
      resolve(Boolean(lock));
      return lock ? new Promise(() => {}) : undefined;
    });
  });
}

/** @returns {Promise<string>} */
export async function tabId() {
  let id = stored() || fresh();
  if (!(await held(id))) {
    id = fresh();
    await held(id);
  }
  try {
    sessionStorage.setItem(NAME, id);
  } catch {
    // Without it a reload counts as a new tab, which may save as well.
  }
  return id;
}
