// Asking the server. A failure is an Error with what the server said.

export async function get(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined)
    .flatMap(([name, value]) => (Array.isArray(value) ? value.map((each) => [name, each]) : [[name, value]]));
  const search = new URLSearchParams(given).toString();
  return answered(await fetch(search ? `${path}?${search}` : path));
}

export async function post(path, body) {
  const headers = { "content-type": "application/json" };
  return answered(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function answered(response) {
  if (response.ok) return response.json();
  const text = await response.text();
  let said = text;
  try {
    const detail = JSON.parse(text).detail;
    said = typeof detail === "string" ? detail : JSON.stringify(detail);
  } catch { /* plain words */ }
  throw new Error(said || `${response.status}`);
}

export const runPath = (run, ...rest) => ["/api/runs", run, ...rest].map((part, i) => (i ? encodeURIComponent(part) : part)).join("/");
