// Would nmstate take this state? One JSON document a line on standard input; for each a line with what
// NetworkManager would be told, or why not.
use std::io::{self, BufRead};

fn judged(line: &str) -> serde_json::Value {
    let state = match serde_yaml::from_str::<nmstate::NetworkState>(line) {
        Ok(state) => state,
        Err(error) => return serde_json::json!({ "error": error.to_string() }),
    };
    match state.gen_conf() {
        Ok(written) => serde_json::json!({ "files": written["NetworkManager"] }),
        Err(error) => serde_json::json!({ "error": error.to_string() }),
    }
}

fn main() {
    for line in io::stdin().lock().lines() {
        println!("{}", judged(&line.expect("a line")));
    }
}
