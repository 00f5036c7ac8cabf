// Starts GraphiQL against this service. The token is kept for this tab only. It is taken from the field, or
// from the address (…/graphql#token=gm_…), from which it is removed at once; what follows # is never sent.
(function () {
  "use strict";

  const KEY = "graphmem-token";
  const FIRST_QUERY = `# "graphmem status" names the file with your token.
query Welcome {
  viewer { subject actions }
  tree(depth: 2) { path memoryCountBelow }
  search(query: "what is remembered here", first: 3) {
    edges { score why node { id path content } }
  }
}
`;
  const field = document.getElementById("token");
  const state = document.getElementById("token-state");

  const given = new URLSearchParams(window.location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(KEY, given);
    window.history.replaceState(null, "", window.location.pathname + window.location.search);
  }
  field.value = sessionStorage.getItem(KEY) || "";

  async function fetcher(parameters) {
    const answer = await fetch(window.location.pathname, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/graphql-response+json, application/json;q=0.9",
        Authorization: "Bearer " + (field.value.trim() || "none"),
      },
      body: JSON.stringify(parameters),
    });
    state.textContent = answer.status === 401 ? "this token is not known" : "";
    return answer.json();
  }

  function App() {
    const [query, setQuery] = React.useState(FIRST_QUERY);
    const explorer = GraphiQLPluginExplorer.useExplorerPlugin({ query: query, onEdit: setQuery });
    return React.createElement(GraphiQL, {
      fetcher: fetcher,
      query: query,
      onEditQuery: setQuery,
      isHeadersEditorEnabled: false,
      plugins: [explorer],
    });
  }

  function show() {
    const place = document.getElementById("graphiql");
    ReactDOM.unmountComponentAtNode(place);
    ReactDOM.render(React.createElement(App), place);
  }

  document.getElementById("token-form").addEventListener("submit", function (event) {
    event.preventDefault();
    sessionStorage.setItem(KEY, field.value.trim());
    show();
  });
  field.addEventListener("change", function () {
    sessionStorage.setItem(KEY, field.value.trim());
    show();
  });
  show();
})();
